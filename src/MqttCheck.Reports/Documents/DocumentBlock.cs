namespace MqttCheck.Reports.Documents;

/// <summary>
/// A building block of a document: <see cref="DocumentTable"/>, <see cref="IntervalChart"/>, <see cref="CurveChart"/>,
/// <see cref="DocumentStory"/>, <see cref="DocumentFold"/>, <see cref="DocumentCommand"/>.
/// </summary>
internal abstract record DocumentBlock;
