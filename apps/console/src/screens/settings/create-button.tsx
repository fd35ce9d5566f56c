import { OnlyFor } from '../../parts/only-for';

interface CreateButtonProps {
  label: string;
  isAllowed: boolean;
  act?: 'settings' | 'reasons';
  onPress: () => void;
}

/** Shows the button that creates an entry of a list, or who may create one. */
export function CreateButton({ label, isAllowed, act = 'settings', onPress }: CreateButtonProps) {
  return (
    <p>
      {isAllowed ? (
        <button type="button" className="button primary" onClick={onPress}>
          {label}
        </button>
      ) : (
        <OnlyFor act={act} />
      )}
    </p>
  );
}
