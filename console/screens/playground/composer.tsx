import { ArrowUp, CircleStop, Paperclip, X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { Label } from "react-aria-components/Label";
import { TextArea } from "react-aria-components/TextArea";
import { TextField } from "react-aria-components/TextField";
import { sizeText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { mayTakeFocus } from "../../parts/form/may-take-focus.ts";

/** Largest request that the platform takes, in bytes, less what the other fields of the form take. */
export const MOST_BYTES = 4_650_000;

type ComposerProps = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly onSend: () => void;
  /** Set while a run goes on, which it stops. */
  readonly onStop?: (() => void) | undefined;
  readonly isStopping?: boolean;
  /** Set while a run goes on that can be talked to: what is written is said to it, or after it. */
  readonly onNow?: (() => void) | undefined;
  readonly onAfterwards?: (() => void) | undefined;
  readonly name: string;
  /** Where something else on the page is written first. */
  readonly leavesFocus?: boolean;
  /** In place of the text, for what takes none. */
  readonly form?: ReactNode;
  /** Beside the buttons. */
  readonly more?: ReactNode;
};

/** Where a message is written, with files, and sent. */
export function Composer(props: ComposerProps) {
  const { text, onText, files, onFiles, onSend, onStop, isStopping = false, name, form, more } = props;
  const { onNow, onAfterwards, leavesFocus = false } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const isTooLarge = bytes + text.length > MOST_BYTES;
  const isWritten = !isTooLarge && (form !== undefined || text.trim() !== "" || files.length > 0);
  const maySend = isWritten && (onStop === undefined || onNow !== undefined);
  useFit(area, text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another component is another conversation
  useEffect(() => {
    if (!leavesFocus && mayTakeFocus()) area.current?.focus({ preventScroll: true });
  }, [name]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (maySend) (onNow ?? onSend)();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    onFiles([...files, ...pasted]);
  };
  return (
    <div className="composer">
      {files.length > 0 && (
        <ul className="composer-files" aria-label="Files to send">
          {files.map((file, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
            <li key={`${at}-${file.name}`} className="media-file">
              <Preview file={file} />
              <span className="cut">{file.name}</span>
              <span className="small faint">{sizeText(file.size)}</span>
              <Button
                kind="plain"
                size="small"
                icon={<X size={13} aria-hidden />}
                label={`Remove ${file.name}`}
                onPress={() => onFiles(files.filter((one) => one !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      {form ?? (
        <TextField aria-label={`Message to ${name}`} value={text} onChange={onText}>
          <Label className="hidden-visually">Message to {name}</Label>
          <TextArea
            ref={area}
            dir="auto"
            className="composer-text"
            rows={1}
            placeholder={`Message to ${name}`}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          />
        </TextField>
      )}
      <div className="composer-foot">
        <FileTrigger allowsMultiple onSelect={(chosen) => onFiles([...files, ...(chosen ?? [])])}>
          <Button kind="plain" icon={<Paperclip size={16} aria-hidden />} aria-label="Add files" />
        </FileTrigger>
        {more}
        <span className="composer-about small">
          {isTooLarge ? (
            <span className="error-text" role="alert">
              {sizeText(bytes + text.length)} are more than one message can carry ({sizeText(MOST_BYTES)}).
            </span>
          ) : files.length > 0 ? (
            <span className="faint">
              {sizeText(bytes)} of {sizeText(MOST_BYTES)}
            </span>
          ) : null}
        </span>
        {onStop ? (
          <>
            <Button
              kind="danger"
              icon={<CircleStop size={15} aria-hidden />}
              isDisabled={isStopping}
              onPress={onStop}
            >
              {isStopping ? "Stopping" : "Stop"}
            </Button>
            {onAfterwards && (
              <Button isDisabled={!maySend} onPress={onAfterwards}>
                Afterwards
              </Button>
            )}
            {onNow && (
              <Button
                kind="main"
                icon={<ArrowUp size={15} aria-hidden />}
                isDisabled={!maySend}
                onPress={onNow}
              >
                Now
              </Button>
            )}
          </>
        ) : (
          <Button kind="main" icon={<ArrowUp size={15} aria-hidden />} isDisabled={!maySend} onPress={onSend}>
            Send
          </Button>
        )}
      </div>
    </div>
  );
}

/** Lets the area grow with its text, up to what its style allows. */
function useFit(area: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides the height
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [area, text]);
}

function Preview({ file }: { readonly file: File }) {
  const address = useMemo(
    () => (file.type.startsWith("image/") ? URL.createObjectURL(file) : undefined),
    [file],
  );
  useEffect(
    () => () => {
      if (address !== undefined) URL.revokeObjectURL(address);
    },
    [address],
  );
  return address === undefined ? (
    <Paperclip size={14} aria-hidden />
  ) : (
    <img className="composer-preview" src={address} alt="" />
  );
}
