using System.CommandLine;
using MqttCheck.App.Learn;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Learn;

/// <summary><c>mqttcheck learn</c>: logs to a model.</summary>
internal static class LearnCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen)
    {
        var logs = new Argument<FileInfo[]>("LOGFILE")
        {
            Description =
                "One or several logs that 'explore' wrote, of the same broker with the same settings; or captures of "
                + "its packets (pcap or pcapng), or logs of JMeter, MQTTLoader and tshark. "
                + "Logs are made of these first.",
            Arity = ArgumentArity.OneOrMore,
        };
        var learner = CommonOptions.Learner();
        var seed = CommonOptions.Seed();
        var output = CommonOptions.OutputFile(
            "The model file to write (JSON). Default: models/LOG.json, or LOG-2.json where that exists."
        );
        var captures = new CaptureOptions();
        var command = new Command("learn", "Learns from logs how long a broker takes, depending on what else goes on.")
        {
            logs,
            learner,
            seed,
            output,
            captures.Ports,
            captures.Addresses,
            captures.TlsKeys,
            captures.Names,
            captures.Columns,
        };
        command.Concludes(
            (parse, _) =>
            {
                var files = parse.GetValue(logs)!.Select(file => file.ToString()).ToArray();
                var path =
                    parse.GetValue(output)?.ToString()
                    ?? RunFiles.Fresh(
                        Path.Combine(
                            "models",
                            Path.GetFileNameWithoutExtension(LogFile.Uncompressed(files[0])) + ".json"
                        )
                    );
                if (parse.GetValue(output) is not null)
                    OutputPath.RequireWritable(path, output.Name);
                OutputPath.NoteReplaced(screen, path);
                files = captures.ToLogs(screen, parse, files);
                captures.WriteProfiles(screen, path);
                var model = LearnStage.Run(
                    screen,
                    new(
                        files,
                        CommonOptions.Learner(parse.GetValue(learner), LearnerCatalogue.Default),
                        parse.GetValue(seed),
                        path
                    )
                );
                ModelText.Print(screen, model, path);
                return Task.FromResult(Conclusion.Success);
            }
        );
        return command;
    }
}
