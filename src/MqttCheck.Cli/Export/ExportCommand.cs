using System.CommandLine;
using System.Text;
using MqttCheck.App.Clusters.Export;
using MqttCheck.Automata.Exchange;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Profiles;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Export;

/// <summary><c>mqttcheck export</c>: profile, latencies and clients to a model for other tools.</summary>
internal sealed class ExportCommand(Screen screen, Interruption interruption)
{
    private readonly Option<FileInfo?> _model = ModelOptions.Model();
    private readonly Option<string?> _law = ModelOptions.Law();
    private readonly Option<string> _profile = ModelOptions.Profile();
    private readonly Option<int> _clients = ModelOptions.Clients();

    private readonly Option<double[]?> _thresholds = new("--threshold", "-t")
    {
        HelpName = "TIME,TIME,...",
        Description =
            "For each threshold such as 20ms a property: the probability that all messages "
            + "of the first client's sequence are answered within it. Default: none.",
        CustomParser = Values.Durations,
    };

    private readonly Option<string> _format = new Option<string>("--format", "-f")
    {
        HelpName = "FORMAT",
        Description = "jani, uppaal (SMC), dot (a drawing), or text. Default jani.",
        DefaultValueFactory = _ => "jani",
    }.Accepting("jani", "uppaal", "dot", "text");

    private readonly Option<bool> _approximate = new("--approximate")
    {
        Description =
            $"Replace laws of more than {LawLowering.MostPieces} pieces, and a model that "
            + "automata cannot carry, by simpler ones, and say how large the difference is.",
    };

    private readonly Option<FileInfo?> _output = CommonOptions.OutputFile(
        "Where to write the model. Default: standard output."
    );

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "export",
            "Writes clients with their profile and latencies as stochastic timed automata, for other model checkers."
        )
        {
            _model,
            _law,
            _profile,
            _clients,
            _thresholds,
            _format,
            _approximate,
            _output,
        };
        command.Concludes((parse, _) => RunAsync(parse));
        return command;
    }

    private Task<Conclusion> RunAsync(ParseResult parse)
    {
        var format = parse.GetValue(_format)!;
        if (parse.GetValue(_output) is { } given)
            OutputPath.RequireWritable(given.ToString(), _output.Name);
        var model = ExportStage.Run(
            interruption.At(screen),
            new(
                new() { Population = ProfileFile.Read(parse.GetValue(_profile)!), Clients = parse.GetValue(_clients) },
                ModelOptions.Latencies(parse.GetValue(_model), parse.GetValue(_law)),
                parse.GetValue(_thresholds) ?? [],
                parse.GetValue(_approximate),
                Bounded: format == "uppaal"
            )
        );
        var text = format switch
        {
            "jani" => Encoding.UTF8.GetString(JaniWriter.ToBytes(model)),
            "uppaal" => UppaalWriter.ToXml(model),
            "dot" => DotWriter.ToDot(model.Network),
            _ => model.Network.ToString(),
        };
        if (parse.GetValue(_output) is { } file)
        {
            AtomicFile.Write(file.ToString(), text);
            screen.Line($"model: {file}");
        }
        else
        {
            screen.Line(text.TrimEnd('\n'));
        }
        return Task.FromResult(Conclusion.Success);
    }
}
