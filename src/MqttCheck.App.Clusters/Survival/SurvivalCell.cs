namespace MqttCheck.App.Clusters.Survival;

/// <summary>A cell of the table, as its runs came.</summary>
/// <param name="row">Its row.</param>
/// <param name="column">Its column.</param>
/// <param name="verdict">The verdict before any run: not promised, not tried or undecided.</param>
/// <param name="why">Why it is not tried, in words.</param>
internal sealed class SurvivalCell(
    SurvivalRow row,
    SurvivalColumn column,
    SurvivalVerdict verdict = SurvivalVerdict.Undecided,
    string why = ""
)
{
    /// <summary>Its row.</summary>
    public SurvivalRow Row => row;

    /// <summary>Its column.</summary>
    public SurvivalColumn Column => column;

    /// <summary>How many runs could show a loss.</summary>
    public int Runs { get; private set; }

    /// <summary>In how many of them something was lost.</summary>
    public int Losses { get; private set; }

    /// <summary>The loss of the first run that had one; null without one.</summary>
    public SurvivalCount? First { get; private set; }

    /// <summary>The number of that run, from 1; 0 without one.</summary>
    public int FirstRun { get; private set; }

    /// <summary>Why it is not tried or not decided, in words; empty otherwise.</summary>
    public string Why { get; private set; } = why;

    /// <summary>The verdict on it.</summary>
    public SurvivalVerdict Verdict =>
        verdict != SurvivalVerdict.Undecided ? verdict
        : Losses > 0 ? SurvivalVerdict.Lost
        : Runs > 0 ? SurvivalVerdict.Survives
        : SurvivalVerdict.Undecided;

    /// <summary>Whether runs are made for it.</summary>
    public bool IsTried => verdict == SurvivalVerdict.Undecided;

    /// <summary>Whether more runs say more of it: one loss is enough.</summary>
    /// <param name="most">How many runs are enough without one; null for any number.</param>
    public bool IsOpen(int? most) => IsTried && Losses == 0 && !(Runs >= most);

    /// <summary>Takes a run.</summary>
    /// <param name="number">Its number, from 1.</param>
    /// <param name="count">What it lost; null if it could not show it.</param>
    public void Add(int number, SurvivalCount? count)
    {
        if (!IsTried || count is not { } known)
            return;
        Runs++;
        if (!known.IsLoss)
            return;
        Losses++;
        if (First is not null)
            return;
        (First, FirstRun) = (known, number);
    }

    /// <summary>Notes why nothing more can be said.</summary>
    /// <param name="reason">The reason in words.</param>
    public void GiveUp(string reason)
    {
        if (IsTried && Losses == 0)
            Why = reason;
    }
}
