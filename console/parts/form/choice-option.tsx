import { ListBoxItem } from "react-aria-components/ListBox";

export type Choice = { readonly id: string; readonly text: string; readonly about?: string };

/** A choice as lists show it. */
export const choiceOption = ({ id, text, about }: Choice) => (
  <ListBoxItem id={id} textValue={text} className="option">
    <div>
      {text}
      {about !== undefined && <div className="small faint">{about}</div>}
    </div>
  </ListBoxItem>
);
