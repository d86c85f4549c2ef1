using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Sequential;

namespace MqttCheck.Verification;

/// <summary>
/// The one-sided test of the method's original paper (Aichernig and Schumi, QEST 2018), to compare with: H1 is the
/// predicted probability, H0 lies below it by the indifference, and each client decides for itself.
/// </summary>
/// <remarks>
/// It accepts every prediction that is too low, takes outcomes as independent, and gives each client the whole error,
/// so that among 100 clients some wrong decision is the rule. <see cref="PredictionTest"/> does none of this.
/// </remarks>
/// <param name="Accepted">Clients that accepted the prediction.</param>
/// <param name="Rejected">Clients that rejected it.</param>
/// <param name="Undecided">Clients with too few sequences.</param>
/// <param name="LargestSamples">The largest number of sequences that a client took to decide.</param>
public sealed record ClientVerdicts(int Accepted, int Rejected, int Undecided, long LargestSamples)
{
    /// <summary>The clients with at least one sequence.</summary>
    public int Total => Accepted + Rejected + Undecided;

    /// <summary>
    /// The share of clients that accepted the prediction, among those that decided; null when none did.
    /// </summary>
    public double? AcceptedShare => Accepted + Rejected == 0 ? null : (double)Accepted / (Accepted + Rejected);

    /// <summary>The decisions of all clients.</summary>
    /// <param name="point">The prediction. One of 1 is tested as such: the first miss rejects it.</param>
    /// <param name="outcomes">The outcomes of all runs; unfinished ones are not counted.</param>
    /// <param name="indifference">
    /// How far H0 lies below the prediction, in (0, 1) and less than the prediction. Default .1.
    /// </param>
    /// <param name="error">Both error probabilities of each client, in (0, .5). Default .01.</param>
    /// <exception cref="InputException">The indifference leaves no worse hypothesis.</exception>
    public static ClientVerdicts Of(
        PredictedPoint point,
        IEnumerable<Outcome> outcomes,
        double indifference = .1,
        double error = .01
    )
    {
        var tests = new ClientTests(
            PlanOf(point, indifference, error)
                ?? throw new InputException(
                    "verdicts of clients: the indifference is "
                        + FormattableString.Invariant($"{indifference}; allowed: above 0 and below the ")
                        + FormattableString.Invariant($"predicted probability {point.Probability}")
                )
        );
        foreach (
            var outcome in outcomes
                .Where(outcome => outcome.Status != OutcomeStatus.Unfinished)
                .OrderBy(outcome => outcome.Run)
                .ThenBy(outcome => outcome.IssueIndex)
        )
            tests.Add(outcome.Client, outcome.InTime(point.ThresholdMilliseconds));
        return tests.Verdicts;
    }

    /// <summary>The hypotheses of each client, null where the indifference leaves no worse one.</summary>
    internal static SprtPlan? PlanOf(PredictedPoint point, double indifference, double error) =>
        indifference > 0 && indifference < point.Probability
            ? new(point.Probability - indifference, point.Probability, error, error)
            : null;
}
