using static System.FormattableString;

namespace MqttCheck.Verification.Planning;

/// <summary>
/// How long the runs of a test may take. It decides whether a verdict can come of that time, which time would suffice,
/// and whether a further run may begin.
/// </summary>
/// <param name="Time">The time.</param>
/// <param name="IsGiven">
/// Whether the user gave it. It is then kept; a usual time may be exceeded for the smallest number of runs.
/// </param>
internal sealed record TimeBudget(TimeSpan Time, bool IsGiven = true)
{
    /// <summary>The smallest number of runs may take so many times a usual budget: plans are a little tight.</summary>
    public const double Grace = 1.25;

    // Answers, turns and clean-up may take that much more than the waits of clients, which are what is planned.
    private const double Margin = 1.1;

    /// <summary>The time within which runs are planned, so that they end within the budget.</summary>
    public TimeSpan Plannable => IsGiven ? Time / Margin : Time;

    /// <summary>When the smallest number of runs must have ended.</summary>
    public TimeSpan LimitOfLeastRuns => IsGiven ? Time : Time * Grace;

    /// <summary>Whether the budget holds runs that a verdict takes at least.</summary>
    /// <param name="least">How long they take.</param>
    public bool Holds(TimeSpan least) => least <= LimitOfLeastRuns;

    /// <summary>Whether a run may begin: none does that would end too late.</summary>
    /// <param name="elapsed">The time since the first run began.</param>
    /// <param name="run">How long the run takes.</param>
    /// <param name="isOfLeastRuns">Whether it is one of those that every verdict takes.</param>
    public bool Allows(TimeSpan elapsed, TimeSpan run, bool isOfLeastRuns) =>
        elapsed + run <= (isOfLeastRuns ? LimitOfLeastRuns : Time);

    /// <summary>Refuses a budget that does not hold the runs that a verdict takes at least.</summary>
    /// <param name="name">The option or method that gives it.</param>
    /// <param name="least">How long they take.</param>
    /// <param name="planned">How long the planned runs take, no less.</param>
    /// <param name="why">How many runs of which length it takes, in words.</param>
    /// <param name="instead">What else helps, in words.</param>
    /// <param name="of">The part of the work that the budget is for, in words.</param>
    /// <exception cref="InputException">It cannot suffice; the message has one that does.</exception>
    public void Require(string name, TimeSpan least, TimeSpan planned, string why, string instead, string of = "")
    {
        if (Holds(least))
            return;
        throw new InputException(
            Invariant($"{name}: {Duration(Time)}{of} {(IsGiven ? "given" : "by default")} cannot suffice: {why}; ")
                + Invariant($"allowed: {name} {Duration(Enough(planned))} or more, {instead}.")
        );
    }

    /// <summary>A budget that holds what is planned, in a number that is easy to type.</summary>
    /// <param name="planned">How long that takes.</param>
    public static TimeSpan Enough(TimeSpan planned)
    {
        var unit = planned.TotalSeconds * Margin > LongestInSeconds ? 60 : 10;
        return TimeSpan.FromSeconds(Math.Ceiling(planned.TotalSeconds * Margin / unit) * unit);
    }

    /// <summary>A duration as the options take it, rounded up to whole seconds, or minutes from ten on.</summary>
    public static string Duration(TimeSpan time)
    {
        var seconds = (long)Math.Ceiling(time.TotalSeconds);
        return seconds >= LongestInSeconds ? Invariant($"{(seconds + 59) / 60}m") : Invariant($"{seconds}s");
    }

    private const int LongestInSeconds = 600;
}
