using System.CommandLine;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Options;

/// <summary>The option <c>--guarantee</c>: under which assumption the stated error is to hold.</summary>
internal static class GuaranteeOption
{
    /// <summary>The option; the default is the model.</summary>
    public static Option<Guarantee> Create() =>
        new("--guarantee")
        {
            HelpName = "model|any",
            Description =
                $"Where the stated error holds. model: {VerdictPromise.ModelLaw}; "
                + "few runs suffice, but a rare bad state may go unseen. "
                + "any: runs follow any law, as long as they are independent; "
                + "it takes many more runs. Default model.",
            DefaultValueFactory = _ => Guarantee.Model,
            CustomParser = result =>
            {
                var text = result.Tokens.Count == 1 ? result.Tokens[0].Value : "";
                if (text == "model")
                    return Guarantee.Model;
                if (text == "any")
                    return Guarantee.Any;
                result.AddError($"--guarantee: '{text}' given; allowed: model or any");
                return Guarantee.Model;
            },
        };
}
