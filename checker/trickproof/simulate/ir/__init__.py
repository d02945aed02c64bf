"""The integer program: instructions, builder, dead-code elimination, calling convention."""
