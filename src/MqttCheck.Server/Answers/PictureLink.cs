namespace MqttCheck.Server.Answers;

/// <summary>A link of a picture.</summary>
/// <param name="From">The number of one end among the nodes.</param>
/// <param name="To">The number of the other end.</param>
/// <param name="Delay">The law of its delay, in the language of files.</param>
/// <param name="Milliseconds">The mean of that law.</param>
internal sealed record PictureLink(int From, int To, string Delay, double Milliseconds);
