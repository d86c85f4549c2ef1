using System.CommandLine;
using System.Globalization;
using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Automata.Splitting;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Profiles;
using MqttCheck.Simulation;

namespace MqttCheck.Cli.Split;

/// <summary><c>mqttcheck split</c>: estimates a rare event by importance splitting.</summary>
internal static class SplitCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var file = new Argument<string?>("FILE")
        {
            Description =
                "A JANI model of the type sta. Without one, --threshold asks how likely a client's message takes so long.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var property = new Option<string?>("--property")
        {
            HelpName = "NAME",
            Description = "Which property of the model: a probability of F or U.",
        };
        var constants = ModelOptions.Constants();
        var level = new Option<string?>("--level")
        {
            HelpName = "VARIABLE",
            Description =
                "A shared variable that grows towards the event. Default: derived from the event's thresholds.",
        };
        var levels = new Option<string?>("--levels")
        {
            HelpName = "N,N,...",
            Description = "The values of the level at which runs are split. Default: chosen by pilot runs.",
        };
        var model = ModelOptions.Model();
        var law = ModelOptions.Law();
        var profile = ModelOptions.Profile();
        var clients = ModelOptions.Clients();
        var threshold = new Option<double[]?>("--threshold", "-t")
        {
            HelpName = "TIME",
            Description =
                "The event is that a message of the first client's sequence takes at least so long, such as 500ms.",
            CustomParser = Values.Durations,
        };
        var method = new Option<string>("--method")
        {
            HelpName = "NAME",
            Description = "fixed-effort or restart. Default fixed-effort.",
            DefaultValueFactory = _ => "fixed-effort",
        };
        method.AcceptOnlyFromAmong("fixed-effort", "restart");
        var effort = new Option<int>("--effort")
        {
            HelpName = "N",
            Description = "How many runs begin at each level, or with restart at the start. Default 2000.",
            DefaultValueFactory = _ => 2000,
            CustomParser = Values.Integer(10, 100_000_000),
        };
        var repetitions = new Option<int>("--repetitions")
        {
            HelpName = "N",
            Description = "How many independent estimates; their spread gives the interval. Default 20.",
            DefaultValueFactory = _ => 20,
            CustomParser = Values.Integer(2, 1_000_000),
        };
        var confidence = ModelOptions.Confidence();
        var simultaneous = ModelOptions.Simultaneous();
        var soon = ModelOptions.AsSoonAsPossible();
        var steps = ModelOptions.MaximumSteps();
        var seed = CommonOptions.Seed();
        var command = new Command(
            "split",
            "Estimates the probability of a rare event of a JANI model, or of a slow message, by importance splitting."
        )
        {
            file,
            property,
            constants,
            level,
            levels,
            model,
            law,
            profile,
            clients,
            threshold,
            method,
            effort,
            repetitions,
            confidence,
            simultaneous,
            soon,
            steps,
            seed,
        };
        command.SetAction(
            (parse, _) =>
            {
                AutomataNetwork network;
                NetworkProperty.Probability asked;
                Expression? derived = null;
                if (parse.GetValue(file) is { } path)
                {
                    var read = JaniReader.Read(path, ModelOptions.Constants(parse.GetValue(constants)!));
                    var name =
                        parse.GetValue(property)
                        ?? (
                            read.Properties.Count == 1
                                ? read.Properties[0].Name
                                : throw new InputException(
                                    $"--property is missing; allowed: {string.Join(", ", read.Properties.Select(known => known.Name))}"
                                )
                        );
                    network = read.Network;
                    asked =
                        read.Property(name) as NetworkProperty.Probability
                        ?? throw new InputException(
                            $"property {name} is no probability; allowed for splitting: a probability of F or U"
                        );
                }
                else
                {
                    var times = parse.GetValue(threshold);
                    if (times is not { Length: 1 })
                        throw new InputException(
                            "--threshold: one time is needed where no model is given; allowed: one time, such as 500ms"
                        );
                    var setup = new SimulatedFleet
                    {
                        Population = ProfileFile.Read(parse.GetValue(profile)!),
                        Clients = parse.GetValue(clients),
                    };
                    (network, asked, derived, var notes) = ClientNetwork.Late(
                        setup,
                        ModelOptions.Latencies(parse.GetValue(model), parse.GetValue(law)),
                        times[0]
                    );
                    foreach (var note in notes)
                        screen.Warn(note);
                }
                var simulator = new NetworkSimulator(
                    network,
                    new()
                    {
                        SimultaneousSteps = parse.GetValue(simultaneous),
                        AsSoonAsPossible = parse.GetValue(soon),
                        MaximumSteps = parse.GetValue(steps),
                        Observed = PropertyMonitor.Reads(asked, network),
                    }
                );
                var estimate = ImportanceSplitting.Estimate(
                    simulator,
                    asked,
                    new()
                    {
                        Method =
                            parse.GetValue(method) == "restart" ? SplittingMethod.Restart : SplittingMethod.FixedEffort,
                        Level = parse.GetValue(level) is { } variable ? Expression.Of(variable) : derived,
                        Thresholds = new(Levels(parse.GetValue(levels))),
                        Effort = parse.GetValue(effort),
                        Repetitions = parse.GetValue(repetitions),
                        Seed = parse.GetValue(seed),
                    },
                    interruption.Orderly
                );
                var interval = estimate.ApproximateInterval(parse.GetValue(confidence));
                screen.Line(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{asked.Name}: {asked} = {estimate.Probability:G4} in [{interval.Lower:G4}, {interval.Upper:G4}] "
                    )
                        + string.Create(
                            CultureInfo.InvariantCulture,
                            $"({parse.GetValue(confidence):0.####%}, Student over {estimate.Repetitions.Count} repetitions, approximate)"
                        )
                );
                screen.Line(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{estimate.Thresholds.Count} levels: {string.Join(", ", estimate.Thresholds.Select(value => value.ToString("G4", CultureInfo.InvariantCulture)))}; {estimate.Steps} steps"
                    )
                );
                return Task.FromResult(ExitCode.Success);
            }
        );
        return command;
    }

    private static List<double> Levels(string? text)
    {
        var values = new List<double>();
        foreach (var part in text?.Split(',') ?? [])
        {
            if (
                !double.TryParse(part, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
                || !double.IsFinite(value)
            )
                throw new InputException(
                    $"--levels: '{text}' is not allowed; allowed are numbers separated by commas."
                );
            values.Add(value);
        }
        return values;
    }
}
