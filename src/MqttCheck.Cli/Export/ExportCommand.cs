using System.CommandLine;
using System.Text;
using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Export;

/// <summary><c>mqttcheck export</c>: profile, latencies and clients to a model for other tools.</summary>
internal sealed class ExportCommand(Screen screen, Interruption interruption)
{
    private const int ComparisonReplications = 1060;

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

    private readonly Option<string> _format = new("--format", "-f")
    {
        HelpName = "FORMAT",
        Description = "jani, uppaal (SMC), dot (a drawing), or text. Default jani.",
        DefaultValueFactory = _ => "jani",
    };

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
        _format.AcceptOnlyFromAmong("jani", "uppaal", "dot", "text");
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
        var setup = new SimulatedFleet
        {
            Population = ProfileFile.Read(parse.GetValue(_profile)!),
            Clients = parse.GetValue(_clients),
        };
        var latencies = ModelOptions.Latencies(parse.GetValue(_model), parse.GetValue(_law));
        AutomataNetwork network;
        if (ClientApproximation.IsNeeded(latencies) && parse.GetValue(_approximate))
        {
            var approximation = ClientApproximation.Of(setup, latencies, interruption.Orderly);
            network = approximation.Network();
            screen.Warn(approximation.Notes);
            var (difference, chance) = approximation.Compare(
                ComparisonReplications,
                cancellation: interruption.Orderly
            );
            screen.Warn(
                Invariant($"Largest difference of P(all in time) over all thresholds: {difference:0.####}; up to ")
                    + Invariant($"{chance:0.####} may be chance ({ComparisonReplications} simulations of each, 99 %).")
            );
        }
        else
        {
            network = ClientNetwork.Of(setup, latencies);
        }
        if (parse.GetValue(_approximate))
        {
            (network, var notes) = LawLowering.Lower(network, approximate: true);
            screen.Warn(notes);
        }
        var text = Text(network, setup, parse.GetValue(_format)!, parse.GetValue(_thresholds) ?? []);
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

    private static string Text(AutomataNetwork network, SimulatedFleet setup, string format, double[] thresholds)
    {
        var model = new NetworkModel
        {
            Network = network,
            Properties = new(
                thresholds.Select(threshold => new NetworkProperty.Probability(
                    Invariant($"all within {threshold} ms"),
                    Formula(threshold)
                ))
            ),
        };
        return format switch
        {
            "jani" => Encoding.UTF8.GetString(JaniWriter.ToBytes(model)),
            "uppaal" => UppaalWriter.ToXml(model),
            "dot" => DotWriter.ToDot(network),
            _ => network.ToString(),
        };

        // A run is decided when the client's sequence has ended. UPPAAL SMC has no U and wants a bound on time: two
        // hundred times what the sequence takes on average, and more.
        PathFormula Formula(double threshold) =>
            format == "uppaal"
                ? new PathFormula.Eventually(
                    ClientNetwork.AllInTime(threshold),
                    new(
                        0,
                        Math.Ceiling(
                            1e5
                                + 200
                                    * setup.Population.Groups.Max(group =>
                                        group.Profile.SequenceLength * (1 + group.Profile.WaitMilliseconds.Mean)
                                    )
                        )
                    )
                )
                : new PathFormula.Until(
                    !Expression.Of(ClientNetwork.Done),
                    ClientNetwork.AllInTime(threshold),
                    TimeBound.Any
                );
    }
}
