"""What commands print: tables, rule sheets, findings, differences, SARIF, source coverage."""
