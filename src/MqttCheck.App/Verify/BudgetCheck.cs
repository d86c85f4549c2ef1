using MqttCheck.Clients;
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
    /// <param name="budget">The budget.</param>
    /// <param name="fitted">The schedule within it.</param>
    /// <param name="wanted">The schedule without one.</param>
    /// <exception cref="InputException">It cannot suffice; the message has the number that does.</exception>
    public static void Require(TimeBudget budget, VerificationSchedule fitted, VerificationSchedule wanted)
    {
        var slowest = fitted.Setups.MaxBy(setup => RunTime.LeastSequenceSeconds(setup.Population))!;
        budget.Require(
            "--budget",
            fitted.Time,
            wanted.Time,
            Invariant($"{Setups(wanted)} {(wanted.Setups.Count == 1 ? "is" : "are")} verified in {wanted.Runs} ")
                + Invariant($"runs each, about {TimeBudget.Duration(wanted.Time)} in all, because ")
                + Sequence(slowest.Population),
            "or a profile with shorter waits or a smaller \"sequenceLength\""
        );
    }

    /// <summary>The setups of a schedule in words.</summary>
    public static string Setups(VerificationSchedule schedule) =>
        string.Join(
            ", ",
            schedule.Setups.Select(setup => Invariant($"{setup.Population.Name} with {setup.Clients} clients"))
        );

    private static string Sequence(Population population)
    {
        var slowest = population.Groups.MaxBy(group =>
            group.Profile.SequenceLength * ClientLife.MeanWaitOf(group.Profile)
        )!;
        return Invariant($"a sequence of {slowest.Profile.SequenceLength} messages with waits of ")
            + Invariant($"{ClientLife.MeanWaitOf(slowest.Profile):0.###} ms each takes ")
            + Invariant($"{TimeSpan.FromSeconds(RunTime.LeastSequenceSeconds(population)).TotalSeconds:0.0} s")
            + (population.Groups.Count > 1 ? $" (group {slowest.Name})" : "");
    }
}
