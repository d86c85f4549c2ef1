using MqttCheck.Latency;
using MqttCheck.Predictions;
using MqttCheck.Server.Questions;
using static System.FormattableString;

namespace MqttCheck.Server.Answers;

/// <summary>How far a model may be trusted for a scenario, in one word and a sentence.</summary>
/// <param name="Level">Inside of training, near its edge, or outside.</param>
/// <param name="Sentence">The same in words.</param>
/// <param name="TrainedUpToClients">The largest fleet of such clients inside training; null where none is.</param>
/// <param name="Notes">The notes that a reader must know about the validity of the prediction.</param>
internal sealed record TrustLight(
    TrustLevel Level,
    string Sentence,
    int? TrainedUpToClients,
    IReadOnlyList<string> Notes
)
{
    /// <summary>The light of a scenario.</summary>
    public static TrustLight Of(WhatIfScenario scenario, Forecast forecast)
    {
        var trained = TrainedUpTo(scenario);
        var level = forecast.Place switch
        {
            TrainingPlace.Inside => TrustLevel.Inside,
            TrainingPlace.NotRecorded or TrainingPlace.Edge => TrustLevel.Edge,
            TrainingPlace.Outside or TrainingPlace.FarOutside or TrainingPlace.NeverSeen => TrustLevel.Outside,
            _ => throw new ArgumentOutOfRangeException(nameof(forecast), forecast.Place, null),
        };
        IReadOnlyList<string> notes =
        [
            .. forecast.Notes,
            .. scenario.Model.Learned.Training.Coarse
                ? (string[])["The model was learned from a short exploration: the prediction is coarse."]
                : [],
            .. scenario.Model.Learned.Training.Notes,
        ];
        return new(level, Describe(level, trained, forecast.Findings), trained, [.. notes.Distinct()]);
    }

    /// <summary>The largest fleet of such clients inside training; null where there is none.</summary>
    public static int? TrainedUpTo(WhatIfScenario scenario) =>
        TrainingRange.LargestFleet(scenario.Model.Learned, scenario.Population, scenario.Clients);

    private static string Describe(TrustLevel level, int? trained, IReadOnlyList<TrainingFinding> findings) =>
        (level, trained, Features(level, findings)) switch
        {
            (TrustLevel.Inside, { } most, _) => Invariant(
                $"Inside training: the model has seen up to {most} such clients."
            ),
            (TrustLevel.Edge, _, { Length: > 0 } features) => $"Near the edge: {features}.",
            (TrustLevel.Edge, { } most, _) => Invariant(
                $"Near the edge: the model has seen up to {most} such clients."
            ),
            (_, _, { Length: > 0 } features) when findings.Any(one => one.Place == TrainingPlace.NeverSeen) =>
                $"Beyond training: the model has never seen such a {features}.",
            (_, { } most, _) when findings.Any(one => one.Place == TrainingPlace.FarOutside) => Invariant(
                $"Beyond training: it is more than twice the load of the {most} such clients that the model has seen."
            ),
            (_, _, { Length: > 0 } features) => $"Extrapolated: the model has not seen such a {features}.",
            (_, { } most, _) => Invariant($"Extrapolated: the model has seen up to {most} such clients."),
            _ => "Extrapolated: the model has seen no such load.",
        };

    // The number of clients and their load are told by the largest fleet that was seen.
    private static string Features(TrustLevel level, IReadOnlyList<TrainingFinding> findings) =>
        string.Join(
            ", ",
            findings
                .Where(finding => level == TrustLevel.Edge || finding.Place >= TrainingPlace.Outside)
                .Where(finding => finding.Feature is not (TrainingRange.Fleet or TrainingRange.OfferedLoad))
                .Select(finding =>
                    finding.Place == TrainingPlace.NotRecorded ? $"{finding.Feature} not recorded" : finding.Feature
                )
        );
}
