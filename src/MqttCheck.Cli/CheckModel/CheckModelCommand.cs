using System.CommandLine;
using System.Globalization;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Sequential;

namespace MqttCheck.Cli.CheckModel;

/// <summary><c>mqttcheck check-model</c>: estimates the properties of a JANI model.</summary>
internal sealed class CheckModelCommand
{
    private static readonly string[] s_rules = ["clopper-pearson", "chen", "okamoto", "mixture"];

    private readonly Screen _screen;
    private readonly Interruption _interruption;
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

    private readonly Option<string> _rule = new("--rule")
    {
        HelpName = "NAME",
        Description =
            "For probabilities, when to stop: clopper-pearson (sequential), "
            + "chen (adaptive), okamoto (a fixed number), mixture (anytime-valid: "
            + "a theorem at every stopping time). Default clopper-pearson.",
        DefaultValueFactory = _ => s_rules[0],
    };

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

    private CheckModelCommand(Screen screen, Interruption interruption)
    {
        (_screen, _interruption) = (screen, interruption);
        _rule.AcceptOnlyFromAmong(s_rules);
    }

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var checkModel = new CheckModelCommand(screen, interruption);
        var command = new Command(
            "check-model",
            "Simulates a JANI model and estimates the probabilities and expectations that it asks for."
        )
        {
            checkModel._file,
            checkModel._properties,
            checkModel._constants,
            checkModel._epsilon,
            checkModel._confidence,
            checkModel._rule,
            checkModel._runs,
            checkModel._simultaneous,
            checkModel._soon,
            checkModel._steps,
            checkModel._seed,
        };
        command.SetAction((parse, _) => checkModel.RunAsync(parse));
        return command;
    }

    private Task<int> RunAsync(ParseResult parse)
    {
        var model = JaniReader.Read(parse.GetValue(_file)!, ModelOptions.Constants(parse.GetValue(_constants)!));
        var names = parse.GetValue(_properties)!;
        var asked = names.Length > 0 ? [.. names.Select(model.Property)] : model.Properties.ToList();
        if (names.Length == 0)
        {
            foreach (var refused in model.Refused)
                _screen.Warn(refused.Reason);
            if (asked.Count == 0)
                throw new InputException(
                    $"{parse.GetValue(_file)}: the model has no property that is understood; allowed: at least one"
                );
        }
        var (half, delta) = (parse.GetValue(_epsilon), 1 - parse.GetValue(_confidence));
        IEstimationRule stop = parse.GetValue(_rule) switch
        {
            "chen" => new ChenRule(half, delta),
            "okamoto" => new OkamotoRule(half, delta),
            "mixture" => new AnytimeMixtureRule(half, delta),
            _ => new SequentialClopperPearsonRule(half, delta),
        };
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
        foreach (var property in asked.TakeWhile(_ => !_interruption.Orderly.IsCancellationRequested))
        {
            _screen.Line(
                property is NetworkProperty.Probability probability
                    ? stage.Estimate(probability, stop, _interruption.Orderly).ToString()
                    : stage
                        .Estimate(
                            (NetworkProperty.Expectation)property,
                            parse.GetValue(_runs),
                            parse.GetValue(_confidence),
                            _interruption.Orderly
                        )
                        .ToString()
            );
        }
        return Task.FromResult(_interruption.End(_screen, ExitCode.Success));
    }
}
