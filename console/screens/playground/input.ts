import { useState } from "react";
import { initialValue, inputValue, isWhole, type JsonSchema } from "./json-schema.ts";

/** What is about to be sent: a text or the values of a form, and files. */
export function useInput(schema: JsonSchema | undefined, first: string) {
  const [text, setText] = useState(first);
  const [files, setFiles] = useState<readonly File[]>([]);
  // What is said at first is a text, also to what is mostly asked by a form.
  const [isForm, setForm] = useState(first === "");
  const [entered, setEntered] = useState<unknown>(() => (schema ? initialValue(schema) : undefined));
  const [isChecked, setChecked] = useState(false);
  const usesForm = schema !== undefined && isForm;
  const message = usesForm ? JSON.stringify(inputValue(schema, entered)) : text.trim();
  return {
    text,
    setText,
    files,
    setFiles,
    addFiles: (added: readonly File[]) => setFiles((before) => [...before, ...added]),
    usesForm,
    setForm: (form: boolean) => {
      // What was entered is not lost by looking at it in the other way.
      if (!form && usesForm) setText(JSON.stringify(inputValue(schema, entered), null, 2));
      setForm(form);
    },
    entered,
    setEntered,
    isChecked,
    /** Whether it can be sent; shows what is missing. */
    check: (): boolean => {
      setChecked(usesForm);
      return !usesForm || isWhole(schema, entered);
    },
    /** A message of files alone says so; the platform wants a text. */
    message: message === "" && files.length > 0 ? "See the files." : message,
    clear: () => {
      setText("");
      setFiles([]);
      setChecked(false);
      if (schema) setEntered(initialValue(schema));
    },
  };
}
