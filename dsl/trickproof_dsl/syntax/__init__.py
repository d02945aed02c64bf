"""Rule text to syntax tree: grammar, indentation, parser, AST builder, and errors by example."""
