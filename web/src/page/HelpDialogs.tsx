/** The help, with its words: fetched when somebody asks for it. */
import type { JSX } from "preact";
import type { App } from "../app/app";
import { isMac, keyLabel } from "../commands/keys";
import { commands } from "../commands/registry";
import { Dialog } from "../ui/Dialog";

const help = {
  title: "Help",
  intro:
    "Write or paste HLO or StableHLO (what jax.jit(f).lower(x).as_text() prints) on the left and press Ctrl+Enter. Every instruction's value appears on the right. Put the cursor on a shape, and the layout view shows how it lies in memory; no run is needed for that. Alt+Shift+D shows the program in the other dialect beside it. Run first executes the compiled program, for its result and its time, then records the values; either can be turned off in Settings. The plan says what runs as one loop.",
  keys: "Keys",
  grid: "In a grid",
  gridKeys: [
    ["Arrows", "move the selected element"],
    ["Ctrl+arrows, Home, End", "go to the edges"],
    ["Page up, Page down", "go a page up or down"],
    ["+  -  0", "zoom in, zoom out, back"],
    ["Ctrl+wheel, drag", "zoom, move the picture"],
  ] as [string, string][],
  editorKeys: [["Esc, then Tab", "leave the editor"]] as [string, string][],
  links:
    "A link holds the program after the #, so that it reaches no server. Links can be written by hand:",
  /** Beside those of layouts, one for each notation. */
  linkForms: ["#compare=LAYOUT|LAYOUT", "#ex=padded-mlp"],
  bench: "How fast this machine is with this engine, beside plain JavaScript: ",
  benchLink: "the benchmark",
  exact:
    "Values and addresses are exact: values are those of a reference evaluation, addresses those of XLA's published layout formula. Padding is hatched because its content is unspecified.",
};

function Keys({ keys }: { keys: [string, string][] }): JSX.Element {
  return (
    <dl class="keys">
      {keys.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Help({ app, onClose }: { app: App; onClose(): void }): JSX.Element {
  const mac = isMac();
  const { notations } = app.state;
  const layouts = notations.value.map(({ key, examples: [first] }) => `#${key}=${first}`);
  const keys = commands.flatMap((command): [string, string][] =>
    command.keys[0] ? [[keyLabel(command.keys[0], mac), command.label]] : [],
  );
  return (
    <Dialog label={help.title} class="help" heading onClose={onClose}>
      <p>{help.intro}</p>
      <h3>{help.keys}</h3>
      <Keys keys={[...keys, ...help.editorKeys]} />
      <h3>{help.grid}</h3>
      <Keys keys={help.gridKeys} />
      <p>{help.exact}</p>
      <p>
        {help.bench}
        <a href="?bench" target="_blank" rel="noopener">
          {help.benchLink}
        </a>
      </p>
      <p>{help.links}</p>
      <ul>
        {layouts.concat(help.linkForms).map((form) => (
          <li key={form}>
            <code>{form}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
