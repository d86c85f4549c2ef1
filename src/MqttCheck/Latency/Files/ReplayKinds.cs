using MqttCheck.Json;
using MqttCheck.Latency.Quality;

namespace MqttCheck.Latency.Files;

/// <summary>How models were judged by replay, in a model file.</summary>
internal static class ReplayKinds
{
    // A point per line. A spread of 0, as of every point without alternatives, is not written.
    private static readonly JsonKind<ReplayedPoint> s_point = ModelKinds.OnOneLine(
        JsonFormat.Of<ReplayedPoint>(fields =>
            new(
                fields.Required("milliseconds", JsonKinds.Number(double.Epsilon), point => point.ThresholdMilliseconds),
                fields.Required("observed", JsonKinds.Number(0, 1), point => point.Observed),
                fields.Required("error", JsonKinds.Number(-1, 1), point => point.Error),
                fields.Required("noise", JsonKinds.Number(0), point => point.Noise)
            )
            {
                Spread = fields.Optional("spread", JsonKinds.Number(0, 1), point => point.Spread, 0),
            }
        ),
        isSpaced: true
    );

    private static readonly JsonKind<ReplayedCase> s_case = JsonFormat.Of<ReplayedCase>(fields =>
        new(
            fields.Required("clients", JsonKinds.Integer(1), of => of.Clients),
            fields.Required("messagesPerSecond", JsonKinds.Number(0), of => of.MessagesPerSecond),
            fields.Required("meanActive", JsonKinds.Number(1), of => of.MeanActive),
            fields.Optional(
                "simulatedActive",
                JsonKinds.Number(0),
                of => double.IsFinite(of.SimulatedActive) ? of.SimulatedActive : double.NaN,
                double.NaN
            ),
            fields.Required("points", JsonKinds.List(s_point, "an array of comparisons"), of => of.Points)
        )
    );

    /// <summary>The quality of a model.</summary>
    public static JsonKind<ReplayQuality> Quality { get; } =
        JsonFormat.Of<ReplayQuality>(fields =>
            new(
                fields.Required("error", JsonKinds.Number(0, 1), quality => quality.Error),
                fields.Required("cases", JsonKinds.List(s_case, "an array of replayed cases"), quality => quality.Cases)
            )
            {
                BlockSeconds = fields.Nullable(
                    "blockSeconds",
                    JsonKinds.Number(double.Epsilon),
                    quality => quality.BlockSeconds
                ),
            }
        );

    /// <summary>A learner that was tried.</summary>
    public static JsonKind<CandidateModel> Candidate { get; } =
        JsonFormat.Of<CandidateModel>(fields =>
            new(
                fields.Required("learner", JsonKinds.Text, candidate => candidate.Learner),
                fields.Optional(
                    "replayError",
                    JsonKinds.Number(0, 1),
                    candidate => double.IsFinite(candidate.ReplayError) ? candidate.ReplayError : double.NaN,
                    double.NaN
                ),
                fields.Optional("remark", JsonKinds.Text, candidate => candidate.Remark, "")
            )
        );
}
