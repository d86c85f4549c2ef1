using System.Diagnostics;
using System.Globalization;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Benchmarks.Automata;

/// <summary>
/// Predicts one cell of the paper (1060 replications of 130 clients with 10 messages each, all thresholds at once) and
/// ends: for timing the whole process. Says on standard error where the time went.
/// Usage: <c>time dotnet MqttCheck.Benchmarks.dll cell [CLIENTS]</c>.
/// </summary>
internal static class PaperCell
{
    public static int Run(string[] args)
    {
        using var process = Process.GetCurrentProcess();
        var started = process.StartTime.ToUniversalTime();
        double Now() => (TimeProvider.System.GetUtcNow().UtcDateTime - started).TotalMilliseconds;
        var entered = Now();
        var up1 = new UsageProfile
        {
            Name = "up1",
            WaitMilliseconds = new UniformLaw(0, 500),
            Weights = new MessageWeights(1, 1, 5, 3, 2),
        };
        var clients = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 130;
        var model = new TableModel();
        var built = Now();
        var prediction = Predictor.Predict(model, Population.Of(up1), clients, new PredictionOptions());
        var predicted = Now();
        foreach (var threshold in ThresholdChooser.Grid(prediction))
            Console.WriteLine(prediction.Point(threshold));
        Console.Error.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"process start {entered:0} ms, model {built - entered:0} ms, "
                    + $"{prediction.Exchanges} exchanges simulated and sorted "
                    + $"{predicted - built:0} ms, thresholds and intervals {Now() - predicted:0} ms"
            )
        );
        return 0;
    }
}
