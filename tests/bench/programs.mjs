// Programs of any number of instructions, in the forms that programs of frameworks take.

const METADATA = (i) =>
  `, metadata={op_name="jit(step)/layer${i % 24}/mul" source_file="model.py" source_line=${i % 900}}`;

/** One long chain; every value is used by the next one, the first by all. */
function chain(count) {
  let text = "HloModule chain\n\nENTRY main {\n  v0 = f32[16]{0} parameter(0)\n";
  for (let i = 1; i < count - 1; ++i) {
    const opcode = ["add", "multiply", "maximum", "subtract"][i % 4];
    text += `  v${i} = f32[16]{0} ${opcode}(v${i - 1}, v0)${METADATA(i)}\n`;
  }
  return `${text}  ROOT r = f32[16]{0} negate(v${count - 2})\n}\n`;
}

/** Layers as a framework writes them: constants and their broadcasts, products, reductions, residuals. */
function layers(count) {
  let text = "HloModule layers\n\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n";
  text += "  ROOT r = f32[] add(a, b)\n}\n\nENTRY main {\n  x = f32[8,8]{1,0} parameter(0)\n";
  text += "  w = f32[8,8]{1,0} parameter(1)\n";
  let last = "x";
  const many = Math.max(1, Math.round(count / 12));
  for (let i = 0; i < many; ++i) {
    const meta = METADATA(i);
    text += `  c.${i} = f32[] constant(${1 + (i % 7) / 8})
  b.${i} = f32[8,8]{1,0} broadcast(c.${i}), dimensions={}
  d.${i} = f32[8,8]{1,0} dot(${last}, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}${meta}
  m.${i} = f32[8,8]{1,0} multiply(d.${i}, b.${i})${meta}
  t.${i} = f32[8,8]{1,0} tanh(m.${i})${meta}
  z.${i} = f32[] constant(0)
  s.${i} = f32[8]{0} reduce(t.${i}, z.${i}), dimensions={1}, to_apply=sum${meta}
  e.${i} = f32[8,8]{1,0} broadcast(s.${i}), dimensions={0}${meta}
  n.${i} = f32[8,8]{1,0} subtract(t.${i}, e.${i})${meta}
  p.${i} = f32[8,8]{0,1} transpose(n.${i}), dimensions={1,0}
  q.${i} = f32[8,8]{1,0} copy(p.${i})
  h.${i} = f32[8,8]{1,0} add(${last}, q.${i})${meta}
`;
    last = `h.${i}`;
  }
  return `${text}  ROOT r = f32[8,8]{1,0} negate(${last})\n}\n`;
}

/** Many values that live until the end, and one that uses all of them. */
function wide(count) {
  const many = Math.max(1, Math.floor((count - 2) / 2));
  let text = "HloModule wide\n\nENTRY main {\n  x = f32[16]{0} parameter(0)\n";
  const names = [];
  for (let i = 0; i < many; ++i) {
    text += `  c.${i} = f32[16]{0} ${["sine", "cosine", "exponential", "negate"][i % 4]}(x)${METADATA(i)}\n`;
    text += `  d.${i} = f32[16]{0} add(c.${i}, ${i ? `c.${i >> 1}` : "x"})\n`;
    names.push(`d.${i}`);
  }
  const shapes = names.map(() => "f32[16]{0}");
  return `${text}  ROOT r = (${shapes.join(", ")}) tuple(${names.join(", ")})\n}\n`;
}

/** Many small computations: fusions, calls and loops. */
function bodies(count) {
  const many = Math.max(1, Math.round(count / 14));
  let text = "HloModule bodies\n\n";
  let entry = "ENTRY main {\n  v0 = f32[16]{0} parameter(0)\n";
  for (let i = 0; i < many; ++i) {
    text += `fused.${i} {
  p = f32[16]{0} parameter(0)
  q = f32[16]{0} multiply(p, p)
  ROOT r = f32[16]{0} add(q, p)
}
called.${i} {
  p = f32[16]{0} parameter(0)
  n = f32[16]{0} negate(p)
  f = f32[16]{0} fusion(n), kind=kLoop, calls=fused.${i}
  c = f32[] constant(0.5)
  b = f32[16]{0} broadcast(c), dimensions={}
  ROOT r = f32[16]{0} multiply(f, b)
}
`;
    entry += `  a${i + 1} = f32[16]{0} call(v${i}), to_apply=called.${i}${METADATA(i)}\n`;
    entry += `  m${i + 1} = f32[16]{0} maximum(a${i + 1}, v${i})\n`;
    entry += `  v${i + 1} = f32[16]{0} tanh(m${i + 1})\n`;
  }
  return `${text}${entry}  ROOT r = f32[16]{0} negate(v${many})\n}\n`;
}

export const forms = { chain, layers, wide, bodies };
