// The editor: CodeMirror in a shadow tree, where its styles are sheets made by script, which the page's policy allows.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--open)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--link)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", border: "1px solid var(--line)", fontSize: ".875rem" },
  "&.cm-focused": { outline: "3px solid var(--link)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", maxHeight: "70vh", minHeight: "16rem", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--lit) !important" },
  ".cm-gutters": { backgroundColor: "var(--soft)", color: "var(--ink)", border: "none" },
  ".cm-tooltip": { backgroundColor: "var(--soft)", color: "var(--ink)", border: "1px solid var(--line)" },
});

export class Editor {
  constructor(place, changed) {
    const root = place.attachShadow({ mode: "open" });
    this.changed = changed;
    this.view = new EditorView({ parent: root, root, state: this.fresh("") });
  }

  fresh(text) {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2068]/g }), // all marks that turn text round
        yaml(),
        syntaxHighlighting(colours),
        lintGutter(),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Text of the ruleset", spellcheck: "false", tabindex: "0" }),
        // Tab goes on to the next control, as everywhere on the page.
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.changed();
        }),
      ],
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  open(text) {
    this.view.setState(this.fresh(text));
  }

  // Edits as `validate` gives them: lines and columns from 1, columns in code points.
  edit(edits) {
    const { doc } = this.view.state;
    const offset = ({ line, column }) => {
      if (line > doc.lines) return doc.length;
      const { from, text } = doc.line(line);
      return from + [...text].slice(0, column - 1).join("").length;
    };
    const changes = edits.map((one) => ({ from: offset(one.start), to: offset(one.end), insert: one.text }));
    this.view.dispatch({ changes });
  }

  mark(errors) {
    const size = this.view.state.doc.length;
    const placed = errors
      .filter((error) => error.from !== null)
      .map((error) => {
        const from = Math.min(error.from, size);
        const to = Math.min(Math.max(error.to, from), size);
        const message = error.help ? `${error.message} (${error.help})` : error.message;
        return { from, to, severity: "error", source: error.code, message };
      });
    this.view.dispatch(setDiagnostics(this.view.state, placed));
  }

  go(offset) {
    const place = Math.min(offset, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor: place }, scrollIntoView: true });
    this.view.focus();
  }
}
