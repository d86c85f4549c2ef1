using MqttCheck.Predictions;

namespace MqttCheck.Verification.Planning;

/// <summary>Which points of a prediction are verified.</summary>
/// <param name="Points">The points.</param>
/// <param name="PassedOver">
/// The most informative points of larger setups that were passed over, because their predictions are too vague to be
/// confirmed.
/// </param>
internal sealed record VerificationChoice(
    IReadOnlyList<PredictedPoint> Points,
    IReadOnlyList<PredictedPoint> PassedOver
)
{
    /// <summary>
    /// Chooses of each profile the setup with the most clients at its most informative threshold, or a smaller one
    /// where the predictions of larger ones are too vague to be confirmed; or those client counts that are given.
    /// </summary>
    /// <param name="prediction">The prediction.</param>
    /// <param name="clients">The client counts to verify, or none for one of each profile.</param>
    /// <param name="all">
    /// Whether all thresholds of these setups are verified, or the most informative one of each.
    /// </param>
    /// <param name="where">The origin of the client counts, for example an option.</param>
    /// <exception cref="InputException">A client count is not in the prediction.</exception>
    public static VerificationChoice Of(Prediction prediction, IReadOnlyList<int> clients, bool all, string where)
    {
        RequirePredicted(clients, prediction.Points.Select(point => point.Clients), where);
        List<PredictedPoint> setups = [],
            passedOver = [];
        foreach (var profile in prediction.MostInformativePoints.GroupBy(point => point.Profile))
        {
            if (clients.Count > 0)
            {
                setups.AddRange(profile.Where(point => clients.Contains(point.Clients)));
                continue;
            }
            var descending = profile.OrderByDescending(point => point.Clients).ToArray();
            var chosen = descending.FirstOrDefault(point => !point.IsVague(prediction.Indifference)) ?? descending[0];
            setups.Add(chosen);
            passedOver.AddRange(descending.TakeWhile(point => point != chosen));
        }
        return new(all ? [.. prediction.Points.Where(IsOfChosenSetup)] : setups, passedOver);

        bool IsOfChosenSetup(PredictedPoint point) =>
            setups.Any(setup => setup.Profile == point.Profile && setup.Clients == point.Clients);
    }

    /// <summary>Refuses client counts that nothing is predicted for.</summary>
    /// <param name="clients">The client counts.</param>
    /// <param name="predicted">Those that something is predicted for.</param>
    /// <param name="where">The origin of the client counts, for example an option.</param>
    /// <exception cref="InputException">A client count is not among them.</exception>
    public static void RequirePredicted(IReadOnlyList<int> clients, IEnumerable<int> predicted, string where)
    {
        int[] known = [.. predicted.Distinct().Order()];
        var unknown = clients.Except(known).ToArray();
        if (unknown.Length > 0)
            throw new InputException(
                $"{where}: {string.Join(",", unknown)} given; "
                    + $"allowed: client counts of the prediction, {string.Join(",", known)}."
            );
    }
}
