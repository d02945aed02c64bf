"""From rule text to syntax tree: grammar, indentation, parser, AST builder, and error messages by example."""
