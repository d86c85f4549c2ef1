using System.Diagnostics;
using MqttCheck.Protocol;

namespace MqttCheck.Profiles;

/// <summary>How often a publication is sent at each quality of service, relative to the others.</summary>
/// <param name="AtMostOnce">Weight of 0.</param>
/// <param name="AtLeastOnce">Weight of 1.</param>
/// <param name="ExactlyOnce">Weight of 2.</param>
public sealed record QosWeights(double AtMostOnce, double AtLeastOnce, double ExactlyOnce)
{
    /// <summary>The quality of service at a place between 0 and 1.</summary>
    /// <param name="u">The place, uniform over 0 (included) .. 1 (excluded).</param>
    public QualityOfService At(double u)
    {
        u *= AtMostOnce + AtLeastOnce + ExactlyOnce;
        if (u < AtMostOnce)
            return QualityOfService.AtMostOnce;
        // Rounding may leave the place at the very top, where there may be no weight.
        return u < AtMostOnce + AtLeastOnce || ExactlyOnce == 0
            ? AtLeastOnce == 0
                ? QualityOfService.AtMostOnce
                : QualityOfService.AtLeastOnce
            : QualityOfService.ExactlyOnce;
    }

    /// <summary>The weight of a quality of service.</summary>
    /// <param name="qos">The quality of service.</param>
    public double Of(QualityOfService qos) =>
        qos switch
        {
            QualityOfService.AtMostOnce => AtMostOnce,
            QualityOfService.AtLeastOnce => AtLeastOnce,
            QualityOfService.ExactlyOnce => ExactlyOnce,
            _ => throw new UnreachableException(),
        };

    /// <summary>The highest quality of service that has a weight.</summary>
    public QualityOfService Highest =>
        ExactlyOnce > 0 ? QualityOfService.ExactlyOnce
        : AtLeastOnce > 0 ? QualityOfService.AtLeastOnce
        : QualityOfService.AtMostOnce;
}
