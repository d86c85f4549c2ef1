using MqttCheck.App.Progress;
using MqttCheck.Predictions;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.App.Verify;

/// <summary>Says what will be verified, before the runs are made.</summary>
internal static class VerificationAnnouncement
{
    /// <summary>Says what will be done, and what may keep it from an answer.</summary>
    public static void Tell(IWorkProgress progress, PlannedVerification planned)
    {
        var schedule = planned.Schedule;
        if (planned.Drift is { } drift)
            progress.Warn(drift);
        foreach (var finding in planned.Unlike)
            progress.Warn(finding.Sentence);
        progress.Detail(Plan(schedule, planned.Test));
        if (!planned.Budget.Holds(schedule.Time))
            progress.Warn(
                Invariant($"The budget of {schedule.Budget.TotalSeconds:0} s holds fewer runs than a right prediction ")
                    + Invariant($"needs to be confirmed, about {schedule.Time.TotalSeconds:0} s: expect no verdict, ")
                    + "or allow more with --budget."
            );
    }

    private static string Plan(VerificationSchedule schedule, VerificationOptions test) =>
        Invariant($"verifying in {schedule.Runs} runs each of ")
        + string.Join(
            ", ",
            schedule.Setups.Select(setup =>
                Invariant($"{setup.Population.Name} with {setup.Clients} clients ")
                + Invariant($"({setup.Clients * setup.CountedSequences} sequences a run)")
            )
        )
        + Invariant($", about {schedule.Time.TotalSeconds:0} s; at most {schedule.Budget.TotalSeconds:0} s. ")
        + (
            test.Guarantee == Guarantee.Any
                ? "A right prediction is confirmed after about so many runs, whatever law they follow; a "
                    + $"wrong one may be found earlier. {VerdictPromise.Borne(Borne(schedule, test))}"
                    + VouchedWorst.AfterSpace(test.WorstRun)
                : VerdictPromise.NotExcluded(
                    schedule.Runs,
                    PredictionTest.PlanFor(schedule.Setups[0].Points[0], test).SideError
                )
        )
        + OneSided([.. schedule.Setups.SelectMany(setup => setup.Points)], test);

    // The point that bears least speaks for all.
    private static int Borne(VerificationSchedule schedule, VerificationOptions test) =>
        schedule
            .Setups.SelectMany(setup => setup.Points)
            .Min(point => VerificationPlan.InvalidRunsBorne(point, test, schedule.Runs));

    // A point is not confirmed if one side of it cannot be tested. The user learns that before the runs are made.
    internal static string OneSided(IReadOnlyList<PredictedPoint> points, VerificationOptions test)
    {
        var missing = points.Count(point => PredictionTest.PlanFor(point, test).AsPredicted() == VerdictKind.NotWorse);
        return missing == 0
            ? ""
            : Invariant($" {missing} of {points.Count} prediction{(points.Count == 1 ? "" : "s")} can be found not ")
                + "worse, but not confirmed: "
                + (
                    test.Test == VerdictTest.TwoSided
                        ? $"what would count as better (or worse) lies above {1 - TwoSidedPlan.Margin} (or "
                            + $"below {TwoSidedPlan.Margin})."
                        : "the test is one-sided."
                );
    }
}
