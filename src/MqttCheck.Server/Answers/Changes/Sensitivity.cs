namespace MqttCheck.Server.Answers.Changes;

/// <summary>The effect of one change on the probability.</summary>
/// <param name="Change">The change in words.</param>
/// <param name="Difference">How much the probability rises; null where it is not known.</param>
/// <param name="Lower">Lower end of its interval, which holds the model's error too where that is known.</param>
/// <param name="Upper">Upper end of the same interval.</param>
/// <param name="InModelLower">Lower end of the interval of the simulation alone.</param>
/// <param name="InModelUpper">Upper end of the interval of the simulation alone.</param>
/// <param name="Words">How sure it is that the change helps, or why its effect is not known.</param>
internal sealed record Sensitivity(
    string Change,
    double? Difference,
    double? Lower,
    double? Upper,
    double? InModelLower,
    double? InModelUpper,
    string Words
)
{
    /// <summary>The place among the changes that surely help, from 1; null where that is not sure.</summary>
    public int? Place { get; init; }

    /// <summary>A change whose effect is not known.</summary>
    /// <param name="change">The change in words.</param>
    /// <param name="why">Why it is not known.</param>
    public static Sensitivity Unknown(string change, string why) => new(change, null, null, null, null, null, why);
}
