import type { ReactNode } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Button } from "./button.tsx";

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ReactNode;
};

export function Dialog({ title, isOpen, onClose, wide = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
    >
      <Modal className={wide ? "dialog-frame dialog-frame-wide" : "dialog-frame"}>
        <AriaDialog className="dialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

type ConfirmProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What the button says: the act itself, never "OK". */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
};

/** Asks before something that cannot be taken back. */
export function Confirm({
  title,
  isOpen,
  onClose,
  action,
  isDangerous,
  isBusy = false,
  onConfirm,
  children,
}: ConfirmProps) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div className="stack-tight">{children}</div>
      <div className="dialog-actions">
        <Button onPress={onClose}>Keep as it is</Button>
        <Button kind={isDangerous ? "danger-main" : "main"} isDisabled={isBusy} onPress={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
