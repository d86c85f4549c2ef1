using MqttCheck.Reports.Marks;

namespace MqttCheck.Server.Answers;

/// <summary>The effect of one change on the probability.</summary>
/// <param name="Request">The number of the question.</param>
/// <param name="Change">The change in words.</param>
/// <param name="Difference">How much the probability rises; null where it is not known.</param>
/// <param name="Lower">Lower end of the simulation's interval of the difference.</param>
/// <param name="Upper">Upper end of the simulation's interval of the difference.</param>
/// <param name="Reason">Why it is not known; empty where it is.</param>
internal sealed record Sensitivity(
    long Request,
    string Change,
    double? Difference,
    double? Lower,
    double? Upper,
    string Reason
)
{
    /// <summary>This change and those before it, as a chart; null while none of them is known.</summary>
    public Chart? Chart { get; init; }
}
