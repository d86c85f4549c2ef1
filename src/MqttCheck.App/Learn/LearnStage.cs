using MqttCheck.App.Progress;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Learning;
using MqttCheck.Learning.Replay;
using MqttCheck.Logs;

namespace MqttCheck.App.Learn;

/// <summary>The stage from logs to a model.</summary>
internal static class LearnStage
{
    /// <summary>Reads logs, learns, and writes the model file.</summary>
    /// <exception cref="InputException">A log cannot be read, or the logs do not belong together.</exception>
    public static LearnedModel Run(IWorkProgress progress, LearnRequest request)
    {
        // Twice the same exchanges would pass for twice the evidence.
        if (request.Logs.GroupBy(Path.GetFullPath).FirstOrDefault(log => log.Count() > 1) is { } twice)
            throw new InputException(
                $"log \"{twice.First()}\": it is given {twice.Count()} times; allowed: each log once"
            );
        var logs = request.Logs.Select(ExchangeLogReader.Read).ToArray();
        progress.Warn(logs.SelectMany(log => log.Warnings));
        var model = LatencyLearning.Learn(logs, request.Learner, request.Seed);
        LatencyModelFile.Write(request.Output, model);
        return model;
    }

    /// <summary>Holds a model against what it was not learned from in a log; null where that is nothing.</summary>
    public static HeldOutComparison? HeldOut(LearnedModel model, ExchangeLog log) =>
        HeldOutComparison.Of(log, model.Model.Kind, model.Training.Seed);
}
