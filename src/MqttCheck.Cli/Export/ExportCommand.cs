using System.CommandLine;
using System.Globalization;
using System.Text;
using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Profiles;
using MqttCheck.Simulation;

namespace MqttCheck.Cli.Export;

/// <summary><c>mqttcheck export</c>: profile, latencies and clients to a model for other tools.</summary>
internal static class ExportCommand
{
    private const int ComparisonReplications = 1060;

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var model = ModelOptions.Model();
        var law = ModelOptions.Law();
        var profile = ModelOptions.Profile();
        var clients = ModelOptions.Clients();
        var thresholds = new Option<double[]?>("--threshold", "-t")
        {
            HelpName = "TIME,TIME,...",
            Description =
                "For each threshold such as 20ms a property: the probability that all messages of the first client's sequence are answered within it. Default: none.",
            CustomParser = Values.Durations,
        };
        var format = new Option<string>("--format", "-f")
        {
            HelpName = "FORMAT",
            Description = "jani, uppaal (SMC), dot (a drawing), or text. Default jani.",
            DefaultValueFactory = _ => "jani",
        };
        format.AcceptOnlyFromAmong("jani", "uppaal", "dot", "text");
        var approximate = new Option<bool>("--approximate")
        {
            Description =
                $"Replace laws of more than {LawLowering.MostPieces} pieces, and a model that automata cannot carry, by simpler ones, and say how large the difference is.",
        };
        var output = CommonOptions.OutputFile("Where to write the model. Default: standard output.");
        var command = new Command(
            "export",
            "Writes clients with their profile and latencies as stochastic timed automata, for other model checkers."
        )
        {
            model,
            law,
            profile,
            clients,
            thresholds,
            format,
            approximate,
            output,
        };
        command.SetAction(
            (parse, _) =>
            {
                var setup = new SimulatedFleet
                {
                    Population = ProfileFile.Read(parse.GetValue(profile)!),
                    Clients = parse.GetValue(clients),
                };
                var latencies = ModelOptions.Latencies(parse.GetValue(model), parse.GetValue(law));
                AutomataNetwork network;
                if (ClientApproximation.IsNeeded(latencies) && parse.GetValue(approximate))
                {
                    var approximation = ClientApproximation.Of(setup, latencies, interruption.Orderly);
                    network = approximation.Network();
                    foreach (var note in approximation.Notes)
                        screen.Warn(note);
                    var (difference, chance) = approximation.Compare(
                        ComparisonReplications,
                        cancellation: interruption.Orderly
                    );
                    screen.Warn(
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"Largest difference of P(all in time) over all thresholds: {difference:0.####}; up to {chance:0.####} may be chance ({ComparisonReplications} simulations of each, 99 %)."
                        )
                    );
                }
                else
                {
                    network = ClientNetwork.Of(setup, latencies);
                }
                if (parse.GetValue(approximate))
                {
                    (network, var notes) = LawLowering.Lower(network, approximate: true);
                    foreach (var note in notes)
                        screen.Warn(note);
                }
                var text = Text(network, setup, parse.GetValue(format)!, parse.GetValue(thresholds) ?? []);
                if (parse.GetValue(output) is { } file)
                {
                    Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(file.ToString()))!);
                    File.WriteAllText(file.ToString(), text);
                    screen.Line($"model: {file}");
                }
                else
                {
                    screen.Line(text.TrimEnd('\n'));
                }
                return Task.FromResult(ExitCode.Success);
            }
        );
        return command;
    }

    private static string Text(AutomataNetwork network, SimulatedFleet setup, string format, double[] thresholds)
    {
        var model = new NetworkModel
        {
            Network = network,
            Properties = new(
                thresholds.Select(threshold => new NetworkProperty.Probability(
                    string.Create(CultureInfo.InvariantCulture, $"all within {threshold} ms"),
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

        // A run is decided when the client's sequence has ended. UPPAAL SMC has no U and wants a bound on time: two hundred times what the sequence takes on average, and more.
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
