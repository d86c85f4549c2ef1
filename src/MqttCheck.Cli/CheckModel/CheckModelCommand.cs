using System.CommandLine;
using System.Globalization;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Sequential;

namespace MqttCheck.Cli.CheckModel;

/// <summary><c>mqttcheck check-model</c>: estimates the properties of a JANI model.</summary>
internal static class CheckModelCommand
{
    private static readonly string[] s_rules = ["clopper-pearson", "chen", "okamoto", "mixture"];

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var file = new Argument<string>("FILE") { Description = "A JANI model of the type sta." };
        var properties = new Option<string[]>("--property")
        {
            HelpName = "NAME",
            Description = "Which property. May be given several times. Default: all that are understood.",
            DefaultValueFactory = _ => [],
        };
        var constants = ModelOptions.Constants();
        var epsilon = new Option<double>("--epsilon")
        {
            HelpName = "E",
            Description = "For probabilities: half the width of the interval. Default 0.01.",
            DefaultValueFactory = _ => .01,
            CustomParser = Values.Between(0, .5),
        };
        var confidence = ModelOptions.Confidence();
        var rule = new Option<string>("--rule")
        {
            HelpName = "NAME",
            Description =
                "For probabilities, when to stop: clopper-pearson (sequential), chen (adaptive), okamoto (a fixed number), mixture (anytime-valid: a theorem at every stopping time). Default clopper-pearson.",
            DefaultValueFactory = _ => s_rules[0],
        };
        rule.AcceptOnlyFromAmong(s_rules);
        var runs = new Option<int>("--runs")
        {
            HelpName = "N",
            Description = "For expectations: how many runs. Default 10000.",
            DefaultValueFactory = _ => 10_000,
            CustomParser = Values.Integer(2, 1_000_000_000),
        };
        var simultaneous = ModelOptions.Simultaneous();
        var soon = ModelOptions.AsSoonAsPossible();
        var steps = ModelOptions.MaximumSteps();
        var seed = CommonOptions.Seed();
        var command = new Command(
            "check-model",
            "Simulates a JANI model and estimates the probabilities and expectations that it asks for."
        )
        {
            file,
            properties,
            constants,
            epsilon,
            confidence,
            rule,
            runs,
            simultaneous,
            soon,
            steps,
            seed,
        };
        command.SetAction(
            (parse, _) =>
            {
                var model = JaniReader.Read(parse.GetValue(file)!, ModelOptions.Constants(parse.GetValue(constants)!));
                var names = parse.GetValue(properties)!;
                var asked = names.Length > 0 ? [.. names.Select(model.Property)] : model.Properties.ToList();
                if (names.Length == 0)
                {
                    foreach (var refused in model.Refused)
                        screen.Warn(refused.Reason);
                    if (asked.Count == 0)
                        throw new InputException(
                            $"{parse.GetValue(file)}: the model has no property that is understood; allowed: at least one"
                        );
                }
                var (half, delta) = (parse.GetValue(epsilon), 1 - parse.GetValue(confidence));
                IEstimationRule stop = parse.GetValue(rule) switch
                {
                    "chen" => new ChenRule(half, delta),
                    "okamoto" => new OkamotoRule(half, delta),
                    "mixture" => new AnytimeMixtureRule(half, delta),
                    _ => new SequentialClopperPearsonRule(half, delta),
                };
                var stage = new CheckModelStage(
                    model.Network,
                    parse.GetValue(seed),
                    new()
                    {
                        SimultaneousSteps = parse.GetValue(simultaneous),
                        AsSoonAsPossible = parse.GetValue(soon),
                        MaximumSteps = parse.GetValue(steps),
                    }
                );
                foreach (var property in asked)
                {
                    screen.Line(
                        property is NetworkProperty.Probability probability
                            ? stage.Estimate(probability, stop, interruption.Orderly).ToString()
                            : stage
                                .Estimate(
                                    (NetworkProperty.Expectation)property,
                                    parse.GetValue(runs),
                                    parse.GetValue(confidence),
                                    interruption.Orderly
                                )
                                .ToString()
                    );
                }
                return Task.FromResult(ExitCode.Success);
            }
        );
        return command;
    }
}
