namespace MqttCheck.Reports.Documents.Lanes;

/// <summary>A word of a <see cref="LanePicture"/> with its meaning.</summary>
/// <param name="Word">The word that stands at the strip.</param>
/// <param name="Meaning">Its meaning.</param>
/// <param name="Colour">The colour of its marks.</param>
internal sealed record LaneMeaning(string Word, string Meaning, LaneColour Colour);
