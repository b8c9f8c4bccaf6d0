import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { CopyButton } from "./id.tsx";
import { Notice } from "./notice.tsx";

type ShownOnceProps = {
  readonly title: string;
  /** What it is, as its copy button and its attribute `data-…` name it. */
  readonly name: "token" | "secret";
  readonly text: string;
  readonly onClose: () => void;
};

/** A credential, which is shown once. Only its button closes it: a click beside it would lose the credential. */
export function ShownOnce({ title, name, text, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} isOpen onClose={() => undefined}>
      <Notice tone="warn">Copy it now: it is shown this once, and cannot be read again.</Notice>
      <div className="token">
        <code {...{ [`data-${name}`]: "" }}>{text}</code>
        <CopyButton text={text} label={`Copy the ${name}`} />
      </div>
      <div className="dialog-actions">
        <Button kind="main" onPress={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
}
