"""Integer programs as textual LLVM IR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from trickproof.simulate.ir.calling_convention import ALL, NAME
from trickproof.simulate.ir.instructions import (
    Expr,
    Guard,
    If,
    Leave,
    Let,
    Routine,
    Scope,
    Set,
    Stmt,
    Store,
    While,
)

_PLAIN = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "wrap-add": "add",
    "wrap-mul": "mul",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "shl": "shl",
    "shr": "lshr",
}
_COMPARED = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle"}

SPREAD = """
define internal i64 @spread(i64 %source, i64 %mask) {
  br label %loop
loop:
  %s = phi i64 [ %source, %0 ], [ %s2, %loop ]
  %m = phi i64 [ %mask, %0 ], [ %m2, %loop ]
  %f = phi i64 [ 0, %0 ], [ %f2, %loop ]
  %neg = sub i64 0, %m
  %low = and i64 %m, %neg
  %bit = and i64 %s, 1
  %all = sub i64 0, %bit
  %put = and i64 %low, %all
  %f2 = or i64 %f, %put
  %s2 = lshr i64 %s, 1
  %m2 = xor i64 %m, %low
  %live = and i64 %m2, %s2
  %zm = icmp ne i64 %m2, 0
  %zs = icmp ne i64 %s2, 0
  %go = and i1 %zm, %zs
  br i1 %go, label %loop, label %end
end:
  ret i64 %f2
}
define internal i64 @gather(i64 %source, i64 %mask) {
  br label %loop
loop:
  %m = phi i64 [ %mask, %0 ], [ %m2, %loop ]
  %f = phi i64 [ 0, %0 ], [ %f2, %loop ]
  %at = phi i64 [ 0, %0 ], [ %at2, %loop ]
  %neg = sub i64 0, %m
  %low = and i64 %m, %neg
  %hit = and i64 %source, %low
  %is = icmp ne i64 %hit, 0
  %one = zext i1 %is to i64
  %put = shl i64 %one, %at
  %f2 = or i64 %f, %put
  %at2 = add i64 %at, 1
  %m2 = xor i64 %m, %low
  %go = icmp ne i64 %m2, 0
  br i1 %go, label %loop, label %end
end:
  ret i64 %f2
}
"""
"""For processors without pdep and pext."""

FAST_SPREAD = """
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
declare i64 @llvm.x86.bmi.pext.64(i64, i64)
"""

SELDOM = '!0 = !{!"branch_weights", i32 1, i32 100000}\n'

HEAD = """
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""


def llvm_text(routine: Routine, fast_bits: bool) -> str:
    """The program as the text of a module with one function `run`, which takes pointers to the outer arrays.

    `fast_bits` allows instructions that only x86 processors with BMI2 have.
    """
    writer = _Writer(fast_bits)
    writer.block(routine.body)
    arrays = [f"  {_array(name)} = alloca [{size} x i64], align 16" for name, size in routine.inner.items()]
    zeros = [
        f"  call void @llvm.memset.p0.i64(ptr {_array(name)}, i8 0, i64 {8 * size}, i1 false)"
        for name, size in routine.inner.items()
    ]
    locals_ = [f"  {_slot(name)} = alloca i64" for name in sorted(writer.slots)]
    outer = ", ".join(f"ptr noalias {_array(name)}" for name in routine.outer)
    head = [f"define void @{NAME}({outer}) nounwind {{", "entry:", *arrays, *locals_, *zeros]
    body = [*head, *writer.lines, "  ret void", "}"]
    return HEAD + (FAST_SPREAD if fast_bits else SPREAD) + "\n".join(body) + "\n" + SELDOM


def _array(name: str) -> str:
    return f'%"a.{name}"'


def _slot(name: str) -> str:
    return f'%"v.{name}"'


@dataclass
class _Writer:
    fast_bits: bool
    lines: list[str] = field(default_factory=list)
    slots: set[str] = field(default_factory=set)
    known: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """`Let` names: the value each stands for, and whether it is a single bit."""
    exit: str = ""
    number: int = 0

    def fresh(self) -> str:
        self.number += 1
        return f"%t{self.number}"

    def label(self) -> str:
        self.number += 1
        return f"b{self.number}"

    def put(self, text: str) -> str:
        """Emit an instruction; return the name of its value."""
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def block(self, body: Sequence[Stmt]) -> None:
        for t in body:
            self.statement(t)

    def begin(self, label: str) -> None:
        """Start a basic block, to which the preceding one falls through."""
        self.lines += [f"  br label %{label}", f"{label}:"]

    def branch(self, condition: Expr, then: str, otherwise: str, seldom: bool = False) -> None:
        weights = ", !prof !0" if seldom else ""
        self.lines.append(f"  br i1 {self.truth(condition)}, label %{then}, label %{otherwise}{weights}")

    def statement(self, t: Stmt) -> None:
        match t:
            case Let():
                self.known[t.name] = self.value(t.value)
            case Set():
                self.slots.add(t.name)
                self.lines.append(f"  store i64 {self.integer(t.value)}, ptr {_slot(t.name)}")
            case Store():
                value = self.integer(t.value)
                self.lines.append(f"  store i64 {value}, ptr {self.place(t.array, t.index)}")
            case If():
                then, otherwise, end = self.label(), self.label(), self.label()
                self.branch(t.condition, then, otherwise if t.otherwise else end, t.seldom)
                self.lines.append(f"{then}:")
                self.block(t.then)
                if t.otherwise:
                    self.lines += [f"  br label %{end}", f"{otherwise}:"]
                    self.block(t.otherwise)
                self.begin(end)
            case While():
                head, body, end = self.label(), self.label(), self.label()
                self.begin(head)
                self.block(t.before)
                self.branch(t.condition, body, end)
                self.lines.append(f"{body}:")
                self.block(t.body)
                self.lines += [f"  br label %{head}", f"{end}:"]
            case Guard():
                out, on = self.label(), self.label()
                self.branch(t.condition, out, on, seldom=True)
                self.lines.append(f"{out}:")
                self.leave(t.code)
                self.lines.append(f"{on}:")
            case Leave():
                self.leave(t.code)
                self.lines.append(f"{self.label()}:")
            case Scope():
                self.exit = self.label()
                self.slots.add("left")
                self.lines.append(f"  store i64 0, ptr {_slot('left')}")
                self.block(t.body)
                self.begin(self.exit)

    def leave(self, code: int) -> None:
        self.lines += [f"  store i64 {code}, ptr {_slot('left')}", f"  br label %{self.exit}"]

    def place(self, array: str, index: Expr) -> str:
        return self.put(f"getelementptr i64, ptr {_array(array)}, i64 {self.integer(index)}")

    def integer(self, e: Expr) -> str:
        text, bit = self.value(e)
        return self.put(f"zext i1 {text} to i64") if bit else text

    def truth(self, e: Expr) -> str:
        if isinstance(e, int):
            return "true" if e else "false"
        text, bit = self.value(e)
        return text if bit else self.put(f"icmp ne i64 {text}, 0")

    def value(self, e: Expr) -> tuple[str, bool]:
        """The operand for an expression, and whether it is a single bit."""
        if isinstance(e, int):
            return str(e - (ALL + 1) if e > ALL >> 1 else e), False
        if isinstance(e, str):
            if e in self.known:
                return self.known[e]
            return self.put(f"load i64, ptr {_slot(e)}"), False
        return self.operation(e.name, e.args)

    def operation(self, name: str, args: tuple[Expr, ...]) -> tuple[str, bool]:
        if name == "load":
            array, index = args
            assert isinstance(array, str)
            return self.put(f"load i64, ptr {self.place(array, index)}"), False
        if name == "ask":
            function = self.put(f"inttoptr i64 {self.integer(args[0])} to ptr")
            arrays = ", ".join(f"ptr {_array(str(x))}" for x in args[1:])
            return self.put(f"call i64 {function}({arrays})"), False
        if name == "not":
            return self.put(f"xor i1 {self.truth(args[0])}, true"), True
        if name == "select":
            return self.selected(*args)
        if name in ("and", "or", "xor"):
            pair = [self.value(x) for x in args]
            if all(bit for _, bit in pair):
                return self.put(f"{name} i1 {pair[0][0]}, {pair[1][0]}"), True
            wide = [self.put(f"zext i1 {text} to i64") if bit else text for text, bit in pair]
            return self.put(f"{name} i64 {wide[0]}, {wide[1]}"), False
        values = [self.integer(x) for x in args]
        if name in _COMPARED:
            return self.put(f"icmp {_COMPARED[name]} i64 {values[0]}, {values[1]}"), True
        if name in _PLAIN:
            return self.put(f"{_PLAIN[name]} i64 {values[0]}, {values[1]}"), False
        if name in ("spread", "gather"):
            return self.bits(name, values), False
        return _SPECIAL[name](self, values)

    def selected(self, condition: Expr, then: Expr, otherwise: Expr) -> tuple[str, bool]:
        c = self.truth(condition)
        (a, bit_a), (b, bit_b) = self.value(then), self.value(otherwise)
        if bit_a and bit_b:
            return self.put(f"select i1 {c}, i1 {a}, i1 {b}"), True
        a = self.put(f"zext i1 {a} to i64") if bit_a else a
        b = self.put(f"zext i1 {b} to i64") if bit_b else b
        return self.put(f"select i1 {c}, i64 {a}, i64 {b}"), False

    def bits(self, name: str, values: Sequence[str]) -> str:
        called = name
        if self.fast_bits:
            called = {"spread": "llvm.x86.bmi.pdep.64", "gather": "llvm.x86.bmi.pext.64"}[name]
        return self.put(f"call i64 @{called}(i64 {values[0]}, i64 {values[1]})")

    def wide_product(self, values: Sequence[str], extend: str) -> str:
        a, b = (self.put(f"{extend} i64 {x} to i128") for x in values)
        return self.put(f"mul i128 {a}, {b}")


def _high(w: _Writer, values: Sequence[str]) -> tuple[str, bool]:
    upper = w.put(f"lshr i128 {w.wide_product(values, 'zext')}, 64")
    return w.put(f"trunc i128 {upper} to i64"), False


def _too_large(w: _Writer, values: Sequence[str]) -> tuple[str, bool]:
    product = w.wide_product(values, "sext")
    above = w.put(f"icmp sgt i128 {product}, {10**18}")
    below = w.put(f"icmp slt i128 {product}, -{10**18}")
    return w.put(f"or i1 {above}, {below}"), True


def _without(w: _Writer, values: Sequence[str]) -> tuple[str, bool]:
    rest = w.put(f"xor i64 {values[1]}, -1")
    return w.put(f"and i64 {values[0]}, {rest}"), False


def _bit(w: _Writer, values: Sequence[str]) -> tuple[str, bool]:
    return w.put(f"shl i64 1, {values[0]}"), False


def _count(w: _Writer, values: Sequence[str]) -> tuple[str, bool]:
    return w.put(f"call i64 @llvm.ctpop.i64(i64 {values[0]})"), False


def _first(w: _Writer, values: Sequence[str]) -> tuple[str, bool]:
    return w.put(f"call i64 @llvm.cttz.i64(i64 {values[0]}, i1 false)"), False


def _last(w: _Writer, values: Sequence[str]) -> tuple[str, bool]:
    zeros = w.put(f"call i64 @llvm.ctlz.i64(i64 {values[0]}, i1 false)")
    return w.put(f"sub i64 63, {zeros}"), False


def _divided(w: _Writer, values: Sequence[str]) -> tuple[str, str]:
    """Quotient and remainder, rounded towards minus infinity."""
    a, b = values
    quotient, rest = w.put(f"sdiv i64 {a}, {b}"), w.put(f"srem i64 {a}, {b}")
    signs = w.put(f"icmp slt i64 {w.put(f'xor i64 {rest}, {b}')}, 0")
    inexact = w.put(f"icmp ne i64 {rest}, 0")
    adjust = w.put(f"zext i1 {w.put(f'and i1 {signs}, {inexact}')} to i64")
    more = w.put(f"mul i64 {adjust}, {b}")
    return w.put(f"sub i64 {quotient}, {adjust}"), w.put(f"add i64 {rest}, {more}")


_SPECIAL: dict[str, Callable[[_Writer, Sequence[str]], tuple[str, bool]]] = {
    "high": _high,
    "too-large": _too_large,
    "without": _without,
    "bit": _bit,
    "count": _count,
    "first": _first,
    "last": _last,
    "div": lambda w, values: (_divided(w, values)[0], False),
    "mod": lambda w, values: (_divided(w, values)[1], False),
}
