using MqttCheck.Cli.Terminal;
using MqttCheck.Profiles;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.Cli.Verify;

/// <summary>
/// Whether a budget can hold what is planned, said before the first message: a budget that cannot suffice is refused
/// with one that can.
/// </summary>
internal static class BudgetCheck
{
    /// <summary>Refuses a budget that does not even hold the shortest runs of a single setup.</summary>
    /// <param name="fitted">The schedule within the budget.</param>
    /// <param name="wanted">The schedule without one.</param>
    /// <param name="isGiven">Whether the user gave the budget.</param>
    /// <exception cref="InputException">It cannot suffice; the message has the number that does.</exception>
    public static void Require(VerificationSchedule fitted, VerificationSchedule wanted, bool isGiven)
    {
        if (fitted.IsFeasible)
            return;
        var slowest = fitted.Setups.MaxBy(setup => RunTime.LeastSequenceSeconds(setup.Population))!;
        throw new InputException(
            Invariant($"--budget: {Duration(fitted.Budget)} {(isGiven ? "given" : "by default")} cannot suffice: ")
                + Invariant($"{Setups(wanted)} {(wanted.Setups.Count == 1 ? "is" : "are")} verified in {wanted.Runs} ")
                + Invariant(
                    $"runs each, about {Duration(wanted.Time)} in all, because {Sequence(slowest.Population)}; "
                )
                + Invariant($"allowed: --budget {Duration(Enough(wanted.Time))} or more, or a profile with shorter ")
                + "waits or a smaller \"sequenceLength\"."
        );
    }

    /// <summary>Announces the plan in a sentence, and the setups that the budget leaves out.</summary>
    public static void Announce(
        Screen screen,
        TimeSpan exploration,
        VerificationSchedule fitted,
        VerificationSchedule wanted
    )
    {
        var explored = exploration > TimeSpan.Zero ? $"exploring {Duration(exploration)}, then " : "";
        screen.Note(
            Invariant($"planned: {explored}{Setups(fitted)} in {fitted.Runs} runs each, about ")
                + Invariant($"{Duration(fitted.Time)} if the prediction is right, at most {Duration(fitted.Budget)}")
        );
        if (fitted.Setups.Count < wanted.Setups.Count)
            screen.Warn(
                Invariant($"The budget of {Duration(fitted.Budget)} holds {fitted.Setups.Count} of ")
                    + Invariant($"{wanted.Setups.Count} setups; --budget {Duration(Enough(wanted.Time))} holds all.")
            );
    }

    /// <summary>A duration as the options take it, rounded up to a whole second.</summary>
    public static string Duration(TimeSpan time)
    {
        var seconds = (long)Math.Ceiling(time.TotalSeconds);
        return seconds >= 600 ? Invariant($"{(seconds + 59) / 60}m") : Invariant($"{seconds}s");
    }

    // A little more than planned, in a number that is easy to type.
    private static TimeSpan Enough(TimeSpan planned) =>
        TimeSpan.FromSeconds(Math.Ceiling(planned.TotalSeconds * 1.1 / 10) * 10);

    /// <summary>The setups of a schedule in words.</summary>
    public static string Setups(VerificationSchedule schedule) =>
        string.Join(
            ", ",
            schedule.Setups.Select(setup => Invariant($"{setup.Population.Name} with {setup.Clients} clients"))
        );

    private static string Sequence(Population population)
    {
        var slowest = population.Groups.MaxBy(group =>
            group.Profile.SequenceLength * group.Profile.MeanWaitMilliseconds
        )!;
        var wait = NumberText.Milliseconds(slowest.Profile.MeanWaitMilliseconds);
        return Invariant($"a sequence of {slowest.Profile.SequenceLength} messages with waits of {wait} each takes ")
            + Invariant($"{NumberText.Seconds(TimeSpan.FromSeconds(RunTime.LeastSequenceSeconds(population)))}")
            + (population.Groups.Count > 1 ? $" (group {slowest.Name})" : "");
    }
}
