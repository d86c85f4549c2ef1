using MqttCheck.Profiles;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.App.Verify;

/// <summary>
/// Whether a budget can hold what is planned, before the first message: a budget that cannot suffice is refused with
/// one that can.
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

    /// <summary>A duration as the options take it, rounded up to a whole second.</summary>
    public static string Duration(TimeSpan time)
    {
        var seconds = (long)Math.Ceiling(time.TotalSeconds);
        return seconds >= 600 ? Invariant($"{(seconds + 59) / 60}m") : Invariant($"{seconds}s");
    }

    /// <summary>A little more than planned, in a number that is easy to type.</summary>
    public static TimeSpan Enough(TimeSpan planned) =>
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
        return Invariant($"a sequence of {slowest.Profile.SequenceLength} messages with waits of ")
            + Invariant($"{slowest.Profile.MeanWaitMilliseconds:0.###} ms each takes ")
            + Invariant($"{TimeSpan.FromSeconds(RunTime.LeastSequenceSeconds(population)).TotalSeconds:0.0} s")
            + (population.Groups.Count > 1 ? $" (group {slowest.Name})" : "");
    }
}
