import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { CopyButton } from "../../parts/id.tsx";
import { Notice } from "../../parts/notice.tsx";

type SecretProps = { readonly secret: string; readonly onClose: () => void };

/** A secret, which is shown once. Only its button closes it: a click beside it would lose the secret. */
export function Secret({ secret, onClose }: SecretProps) {
  return (
    <Dialog title="The secret of the endpoint" isOpen onClose={() => undefined}>
      <Notice tone="warn">Copy it now: it is shown this once, and cannot be read again.</Notice>
      <div className="token">
        <code data-secret="">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      <div className="dialog-actions">
        <Button kind="main" onPress={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
}
