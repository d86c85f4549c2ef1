using System.CommandLine;
using MqttCheck.Properties;
using MqttCheck.Sequential;

namespace MqttCheck.Cli.Options;

/// <summary>The option <c>--rule</c>: when an estimate of a probability is good enough.</summary>
internal static class EstimationRuleOption
{
    public static Option<string> Create()
    {
        var words = EstimationRules.All.Select(rule => $"{rule.Name} ({rule.Meaning})");
        var option = new Option<string>("--rule")
        {
            HelpName = "NAME",
            Description =
                $"When to stop estimating a probability: {string.Join(", ", words)}. "
                + $"Default {EstimationRules.Default}.",
            DefaultValueFactory = _ => EstimationRules.Default,
        };
        return option.AcceptOnlyFromAmong([.. EstimationRules.All.Select(rule => rule.Name)]);
    }
}
