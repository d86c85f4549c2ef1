using MqttCheck.Automata.Networks;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Models;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Clients;

/// <summary>A latency model as expressions that client automata draw their sojourn times from.</summary>
internal sealed record ClientLatency
{
    /// <summary>The shared variable that counts the open exchanges of all clients.</summary>
    public const string Active = "active";

    /// <summary>The shared variable that counts the subscriptions of all clients.</summary>
    public const string TotalSubscriptions = "totalSubscriptions";

    /// <summary>
    /// The latency of an exchange of a kind in milliseconds, given the number of subscribers of its topic.
    /// </summary>
    public required Func<MessageKind, Expression, Expression> Of { get; init; }

    /// <summary>Whether it depends on the open exchanges.</summary>
    public bool UsesActive { get; init; }

    /// <summary>Whether it depends on the subscriptions of all clients and on the subscribers of the topic.</summary>
    public bool UsesSubscriptions { get; init; }

    /// <summary>
    /// How many steps reveal a latency of the observed client, from the bulk to the far tail; 0 to draw it at once.
    /// Splitting needs them: a latency that is drawn at once gives no chance to multiply the runs in which it will be
    /// large.
    /// </summary>
    public int Stages { get; init; }

    /// <summary>Whether automata can carry a model as it is.</summary>
    public static bool CanCarry(LatencyModel model) => model is LawLatencyModel or PaperRegressionModel;

    /// <summary>A model's expressions.</summary>
    /// <exception cref="InputException">The model cannot be written as expressions.</exception>
    public static ClientLatency From(LatencyModel model) =>
        model switch
        {
            LawLatencyModel laws => new() { Of = (kind, _) => Draw(laws.Of(kind)) },
            PaperRegressionModel regression => From(regression),
            _ => throw new InputException(
                $"latency model: a model of the kind {model.Kind} depends on more than "
                    + "an automaton carries (recent activity, tables with many pieces); "
                    + "allowed: one law per kind of message, the kind "
                    + $"{PaperRegressionModel.KindName}, or an approximation, as 'mqttcheck export --approximate' makes"
            ),
        };

    // |N(mean, sigma)|, the sums in the order of PaperRegressionModel, so that both give the same numbers.
    private static ClientLatency From(PaperRegressionModel model)
    {
        double[] coefficients = [.. model.Coefficients],
            errors = [.. model.StandardErrors];
        var known = Enum.GetValues<MessageKind>().Where(model.Knows).ToHashSet();
        return new()
        {
            UsesActive = true,
            UsesSubscriptions = true,
            Of = (kind, subscribers) =>
            {
                if (!known.Contains(kind))
                    throw new InputException(
                        $"latency model: it was learned without a {kind.Name()} message; "
                            + $"allowed: {string.Join(", ", known.Select(known => known.Name()))}"
                    );
                var own = kind == MessageKind.Connect ? 0 : (int)kind;
                Expression[] regressors = [Expression.Of(Active), Expression.Of(TotalSubscriptions), subscribers];
                Expression mean = coefficients[0] + (own == 0 ? 0 : coefficients[own]);
                Expression variance = errors[0] * errors[0] + (own == 0 ? 0 : errors[own] * errors[own]);
                for (var i = 0; i < regressors.Length; i++)
                {
                    mean += regressors[i] * coefficients[5 + i];
                    variance += regressors[i] * errors[5 + i] * (regressors[i] * errors[5 + i]);
                }
                return new Unary(
                    UnaryOperator.Absolute,
                    Draw(Distribution.Normal, mean, new Binary(BinaryOperator.Power, variance, .5))
                );
            },
        };
    }
}
