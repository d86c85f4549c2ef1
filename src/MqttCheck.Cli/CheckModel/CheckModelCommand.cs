using System.CommandLine;
using MqttCheck.App.Clusters.Models;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Properties;
using MqttCheck.Sequential;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.CheckModel;

/// <summary><c>mqttcheck check-model</c>: estimates the properties of a JANI model.</summary>
internal sealed class CheckModelCommand(Screen screen, Interruption interruption)
{
    private readonly Argument<string> _file = new("FILE") { Description = "A JANI model of the type sta." };

    private readonly Option<string[]> _properties = new("--property")
    {
        HelpName = "NAME",
        Description = "Which property. May be given several times. Default: all that are understood.",
        DefaultValueFactory = _ => [],
    };

    private readonly Option<string[]> _constants = ModelOptions.Constants();

    private readonly Option<double> _epsilon = new("--epsilon")
    {
        HelpName = "E",
        Description = "For probabilities: half the width of the interval. Default 0.01.",
        DefaultValueFactory = _ => .01,
        CustomParser = Values.Between(0, .5),
    };

    private readonly Option<double> _confidence = ModelOptions.Confidence();

    private readonly Option<string> _rule = EstimationRuleOption.Create();

    private readonly Option<int> _runs = new("--runs")
    {
        HelpName = "N",
        Description = "For expectations: how many runs. Default 10000.",
        DefaultValueFactory = _ => 10_000,
        CustomParser = Values.Integer(2, 1_000_000_000),
    };

    private readonly Option<SimultaneousSteps> _simultaneous = ModelOptions.Simultaneous();
    private readonly Option<bool> _soon = ModelOptions.AsSoonAsPossible();
    private readonly Option<int> _steps = ModelOptions.MaximumSteps();
    private readonly Option<ulong> _seed = CommonOptions.Seed();

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "check-model",
            "Simulates a JANI model and estimates the probabilities and expectations that it asks for."
        )
        {
            _file,
            _properties,
            _constants,
            _epsilon,
            _confidence,
            _rule,
            _runs,
            _simultaneous,
            _soon,
            _steps,
            _seed,
        };
        command.Concludes((parse, _) => RunAsync(parse));
        return command;
    }

    private Task<Conclusion> RunAsync(ParseResult parse)
    {
        var model = JaniReader.Read(parse.GetValue(_file)!, ModelOptions.Constants(parse.GetValue(_constants)!));
        var names = parse.GetValue(_properties)!;
        var asked = names.Length > 0 ? [.. names.Select(model.Property)] : model.Properties.ToList();
        if (names.Length == 0)
        {
            screen.Warn(model.Refused.Select(refused => refused.Reason));
            if (asked.Count == 0)
                throw new InputException(
                    $"{parse.GetValue(_file)}: the model has no property that is understood; allowed: at least one"
                );
        }
        var stop = EstimationRules.Of(parse.GetValue(_rule)!)(
            parse.GetValue(_epsilon),
            1 - parse.GetValue(_confidence)
        );
        var stage = new CheckModelStage(
            model.Network,
            parse.GetValue(_seed),
            new()
            {
                SimultaneousSteps = parse.GetValue(_simultaneous),
                AsSoonAsPossible = parse.GetValue(_soon),
                MaximumSteps = parse.GetValue(_steps),
            }
        );
        var table = new TextTable("property", "estimate", "interval");
        table.Record(screen);
        foreach (var property in asked.TakeWhile(_ => !interruption.Orderly.IsCancellationRequested))
        {
            var estimate = property is NetworkProperty.Probability probability
                ? stage.Estimate(probability, stop, interruption.Orderly)
                : stage.Estimate(
                    (NetworkProperty.Expectation)property,
                    parse.GetValue(_runs),
                    parse.GetValue(_confidence),
                    interruption.Orderly
                );
            table.Add(estimate.Property, TableCell.Of(estimate.Value), TableCell.Of(estimate.Interval));
            screen.Line(estimate.ToString());
        }
        return Task.FromResult(interruption.End(screen, Conclusion.Success));
    }
}
