"""The output of commands: tables, rule sheets, findings, differences, SARIF and source coverage."""
