using MqttCheck.Protocol;

namespace MqttCheck.Tests.Protocol.Fuzzing;

/// <summary>The result of <see cref="PacketFuzzer"/>.</summary>
/// <param name="Cases">Number of byte strings tried.</param>
/// <param name="Accepted">How many of them were legal packets.</param>
/// <param name="LargestAllocationBytes">The most memory that decoding one case allocated, in bytes.</param>
/// <param name="Failures">What went wrong, with the bytes in hexadecimal; empty is a pass.</param>
public sealed record FuzzReport(long Cases, long Accepted, long LargestAllocationBytes, ValueList<string> Failures);
