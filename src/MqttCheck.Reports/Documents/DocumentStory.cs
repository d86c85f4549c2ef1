namespace MqttCheck.Reports.Documents;

/// <summary>Something that happened, step by step.</summary>
/// <param name="Title">What is wrong, in a few words.</param>
/// <param name="Meaning">The case in a sentence.</param>
/// <param name="Steps">When and what, in order of time.</param>
internal sealed record DocumentStory(string Title, string Meaning, IReadOnlyList<KeyValuePair<string, string>> Steps)
    : DocumentBlock;
