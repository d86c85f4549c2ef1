using MqttCheck.App.Runs;
using MqttCheck.Cli.Results;

namespace MqttCheck.Cli.Report;

/// <summary>Whether the files of a report belong to each other, so that a page never mixes two results.</summary>
internal static class ReportedFiles
{
    /// <summary>Refuses a prediction, model or log that the other files are not about.</summary>
    /// <param name="sources">The contents of the files.</param>
    /// <param name="verdicts">The verdict file, or null; and so on.</param>
    /// <exception cref="InputException">Two files do not belong together; the message names both.</exception>
    public static void RequireTogether(
        ReportSources sources,
        string? verdicts,
        string? prediction,
        string? model,
        string? log
    )
    {
        if (sources is { Verdicts.PredictionSha256: { } given, Prediction: not null })
            Require(
                "prediction",
                prediction!,
                given,
                $"the verdicts in '{verdicts}' were given on",
                sources.Verdicts.Prediction
            );
        if (sources is { Verdicts.ModelSha256: { } learned } && model is not null)
            Require("model", model, learned, $"the verdicts in '{verdicts}' rest on", null);
        if (sources is { Prediction.Model: { } predictedBy } && model is not null)
            Require(
                "model",
                model,
                predictedBy.Sha256,
                $"the prediction '{prediction}' was made with",
                predictedBy.File
            );
        if (sources is { Log: { } read, Model: { } trained } && read.Information.Broker.Name != trained.Broker.Name)
            throw new InputException(
                $"--log: '{log}' is of {read.Information.Broker.Name}, but the model '{model}' was learned from "
                    + $"{trained.Broker.Name}; allowed: the log that the model was learned from."
            );
    }

    private static void Require(string what, string path, string expected, string whose, string? name)
    {
        var given = FileHash.OfFile(path);
        if (given == expected)
            return;
        var other = name is null || name == path ? $"another {what}" : $"'{name}'";
        throw new InputException(
            $"--{what}: '{path}' (SHA-256 {FileHash.Short(given)}) does not belong to the other files: {whose} {other} "
                + $"(SHA-256 {FileHash.Short(expected)}); allowed: that file"
                + (what == "prediction" ? $", or verdicts of 'mqttcheck verify {path}'." : ".")
        );
    }
}
