using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Protocol;

namespace MqttCheck.Profiles;

/// <summary>The qualities of service of a profile, as files say them.</summary>
/// <param name="Publish">That of publications, and of subscriptions unless they have their own.</param>
/// <param name="Weights">How often publications have which; null where all have one.</param>
/// <param name="Subscribe">That of subscriptions; null for that of publications.</param>
internal sealed record QosChoice(
    QualityOfService Publish,
    QosWeights? Weights = null,
    QualityOfService? Subscribe = null
)
{
    /// <summary>A quality of service.</summary>
    public static JsonKind<QualityOfService> Level { get; } =
        JsonKinds.Integer(0, 2).As(level => (QualityOfService)level, level => (int)level);

    private static readonly JsonKind<QosChoice> s_level = Level.As(level => new QosChoice(level), qos => qos.Publish);

    private static readonly JsonKind<double> s_weight = JsonKinds.Number(0, ProfileFormat.LargestWeight);

    private static readonly JsonKind<QosChoice> s_weights = JsonKinds
        .Tuple("", s_weight, s_weight, s_weight)
        .As(
            of => new QosChoice(QualityOfService.AtLeastOnce, new(of[0], of[1], of[2])),
            qos => [qos.Weights!.AtMostOnce, qos.Weights.AtLeastOnce, qos.Weights.ExactlyOnce]
        ) with
    {
        Read = ReadWeights,
    };

    private static readonly JsonKind<QosChoice> s_publish = s_level
        .Named("0, 1 or 2, or three weights")
        .Or(s_weights, tree => tree.Type == JsonTokenType.StartArray, qos => qos.Weights is not null);

    /// <summary>One quality of service for all, or one for each.</summary>
    public static JsonKind<QosChoice> Kind { get; } =
        s_level.Or(
            JsonFormat.Of<QosChoice>(fields =>
                fields.Required(
                    "publish",
                    s_publish,
                    qos => qos,
                    "One quality of service, or how often each is used: [weight of 0, of 1, of 2]."
                ) with
                {
                    Subscribe = fields.Optional(
                        "subscribe",
                        Level,
                        qos => qos.Subscribe ?? qos.Publish,
                        QualityOfService.AtLeastOnce,
                        always: true
                    ),
                }
            ),
            tree => tree.Type == JsonTokenType.StartObject,
            qos => qos.Weights is not null || qos.Subscribe is not null
        );

    private static QosChoice ReadWeights(JsonTree tree, JsonFindings findings)
    {
        var of = tree.Items.Select(item => s_weight.Read(item, findings)).ToArray();
        return JsonKinds.Is(
            tree,
            findings,
            of.Length == 3 && of.Sum() > 0,
            "0, 1 or 2, or the weights of the three, [w0, w1, w2], not all zero"
        )
            ? new(QualityOfService.AtLeastOnce, new(of[0], of[1], of[2]))
            : new(QualityOfService.AtLeastOnce);
    }
}
