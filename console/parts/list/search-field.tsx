import { Search } from "lucide-react";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { SearchField as AriaSearchField } from "react-aria-components/SearchField";
import { useTypedText } from "../form/use-typed-text.ts";

type SearchFieldProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  /** Called when the reader has stopped typing. */
  readonly onChange: (text: string) => void;
};

/** A search that asks once the reader has stopped typing. */
export function SearchField({ label, placeholder = "", value, onChange }: SearchFieldProps) {
  const [text, setText] = useTypedText(value, onChange);
  return (
    <AriaSearchField className="field" value={text} onChange={setText} data-search="">
      <Label className="field-label">{label}</Label>
      <div className="search">
        <Search size={14} aria-hidden />
        <Input className="input" placeholder={placeholder} />
      </div>
    </AriaSearchField>
  );
}
