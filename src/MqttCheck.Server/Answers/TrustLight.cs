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
    // Above this share of the largest load that was seen few training cases are near.
    private const double Edge = .9;

    /// <summary>The light of a scenario.</summary>
    public static TrustLight Of(WhatIfScenario scenario, Forecast forecast)
    {
        var trained = TrainedUpTo(scenario);
        var level =
            forecast.IsOutsideTraining ? TrustLevel.Outside
            : scenario.Clients > Edge * trained ? TrustLevel.Edge
            : TrustLevel.Inside;
        IReadOnlyList<string> notes =
        [
            .. forecast.Notes,
            .. scenario.Model.Learned.Training.Coarse
                ? (string[])["The model was learned from a short exploration: the prediction is coarse."]
                : [],
            .. scenario.Model.Learned.Training.Notes,
        ];
        return new(level, Describe(level, trained), trained, [.. notes.Distinct()]);
    }

    /// <summary>
    /// The largest fleet of such clients that offers no more load, and has no more clients, than training has shown;
    /// null where even one client offers more, or clients do not wait.
    /// </summary>
    public static int? TrainedUpTo(WhatIfScenario scenario)
    {
        var ranges = scenario.Model.Learned.Ranges;
        var load = LearnedModel.OfferedLoad(scenario.Population, scenario.Clients) / scenario.Clients;
        var most = Math.Floor(Math.Min(ranges.Clients, ranges.MessagesPerSecond / load));
        return most >= 1 ? (int)most : null;
    }

    private static string Describe(TrustLevel level, int? trained) =>
        (level, trained) switch
        {
            (TrustLevel.Inside, { } most) => Invariant(
                $"Inside training: the model has seen up to {most} such clients."
            ),
            (TrustLevel.Edge, { } most) => Invariant($"Near the edge: the model has seen up to {most} such clients."),
            (_, { } most) => Invariant($"Extrapolated: the model has seen up to {most} such clients."),
            _ => "Extrapolated: the model has seen no such load.",
        };
}
