using MqttCheck.Predictions;
using MqttCheck.Profiles;

namespace MqttCheck.Cli.Tests.Verify;

/// <summary>A prediction of two profiles with 200 clients.</summary>
internal static class SamplePrediction
{
    public static PredictedPoint First { get; } = new("up1", 200, 17, .87, new(.85, .89));

    // A sequence of up1 takes 10 waits of 250 ms on average, one of up2 10 waits of 150 ms.
    public static Prediction Predicted { get; } =
        new()
        {
            Model = new("m.json", new string('0', 64), "binned-quantiles", "embedded"),
            Options = new PredictionOptions(),
            Populations = [ProfileFile.Read("up1"), ProfileFile.Read("up2")],
            Setups = [Setup("up1"), Setup("up2")],
            Points = [First, new("up2", 200, 16, .86, new(.84, .88))],
        };

    private static PredictedSetup Setup(string profile) =>
        new()
        {
            Profile = profile,
            Clients = 200,
            Replications = 1060,
            Sequences = 200,
            Exchanges = 2000,
            MeanActive = 5,
            MaximumActive = 20,
            WorstMilliseconds = [10, 15, 20],
        };
}
