namespace MqttCheck.Reports.Documents;

/// <summary>A way of a <see cref="NetworkPicture"/>.</summary>
/// <param name="From">The place at one end, by its number.</param>
/// <param name="To">The place at the other end.</param>
/// <param name="Count">How much passed, both ways together.</param>
internal sealed record NetworkWay(int From, int To, long Count);
