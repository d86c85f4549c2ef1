using System.Globalization;
using MqttCheck.Checking;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Benchmarks.Automata;

/// <summary>
/// Predicts one cell of the paper (1060 replications of 130 clients with 10 messages each, all thresholds at once) and ends: for timing the whole process.
/// Usage: <c>time dotnet MqttCheck.Benchmarks.dll cell [CLIENTS]</c>.
/// </summary>
internal static class PaperCell
{
    public static int Run(string[] args)
    {
        var up1 = new UsageProfile { Name = "up1", WaitMilliseconds = new UniformLaw(0, 500), Weights = new MessageWeights(1, 1, 5, 3, 2) };
        var clients = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 130;
        var prediction = Predictor.Predict(new TableModel(), Population.Of(up1), clients, new PredictionOptions());
        foreach (var threshold in ThresholdChooser.Grid(prediction)) Console.WriteLine(prediction.Point(threshold));
        return 0;
    }
}
